import { type Caller, Creator, creators, identity } from '@stoa/contracts';
import { Bus, Refusal } from '@stoa/messaging';
import { Controller, Post, Res } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from './auth/caller.decorator.ts';
import { CreatorRoute } from './openapi.decorator.ts';

@Controller('api/session')
export class SessionController {
  constructor(private readonly bus: Bus) {}

  /** Opens the caller's records on their first call, which is told by 201; asked again it only answers them. */
  @Post()
  @CreatorRoute(Creator, { problems: [409] })
  @ApiResponse({ status: 201, description: 'The record was made by this call.', standardSchema: Creator })
  async open(@CurrentCaller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    // Together: a refusal of one must not leave that of the other to nobody.
    const [{ creator, isNew }] = await Promise.all([
      this.bus.ask(creators.open, {}, { caller }),
      this.bus.ask(identity.open, {}, { caller }).catch(laterIfAway),
    ]);
    if (isNew) reply.status(201);
    return creator;
  }
}

// Nobody waits at the door while identity is away: the next session records the account.
function laterIfAway(error: unknown): void {
  if (!(error instanceof Refusal && ['unavailable', 'timeout'].includes(error.code))) throw error;
}
