import { identity, UndoRequest } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Body, Controller, Post } from '@nestjs/common';
import { AnswersWithin } from '../http/late-answers.ts';
import { PublicRoute } from './openapi.decorator.ts';

// Several calls of Keycloak's one after the other; after an early timeout the link would be used up.
const timeoutMs = 20_000;

@Controller('api/account-changes')
export class AccountChangesController {
  constructor(private readonly bus: Bus) {}

  // A POST, since programs that look into mails open every link.
  @Post('undo')
  @AnswersWithin(timeoutMs)
  @PublicRoute(null, {
    summary: 'Takes a change of an email or a password back',
    description: `By the token in the link that was mailed about it, good for 72 hours and once. The account belongs to the address
before the change again, every session ends, and the password no longer works. Refused with 409 when another account has
proved that address since.`,
    status: 204,
    problems: [404, 409],
  })
  async undo(@Body({ schema: UndoRequest }) request: UndoRequest): Promise<void> {
    await this.bus.ask(identity.undoChange, request, { timeoutMs });
  }
}
