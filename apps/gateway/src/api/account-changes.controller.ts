import { identity, UndoRequest } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Body, Controller, Post } from '@nestjs/common';
import { AnswersWithin } from '../http/late-answers.ts';
import { PublicRoute } from './openapi.decorator.ts';

// Milliseconds to wait for identity, which calls Keycloak several times. After a timeout the user's link could be used up.
const timeoutMs = 20_000;

@Controller('api/account-changes')
export class AccountChangesController {
  constructor(private readonly bus: Bus) {}

  // POST instead of GET, because mail scanners open every link in a mail.
  @Post('undo')
  @AnswersWithin(timeoutMs)
  @PublicRoute(null, {
    summary: 'Undoes a change of an email or a password',
    description: `Requires the token of the mailed link, which is valid once and for 72 hours. The account gets its previous address back,
every session ends, and the password stops working. Refused with 409 when another account has confirmed that address since.`,
    status: 204,
    problems: [404, 409],
  })
  async undo(@Body({ schema: UndoRequest }) request: UndoRequest): Promise<void> {
    await this.bus.ask(identity.undoChange, request, { timeoutMs });
  }
}
