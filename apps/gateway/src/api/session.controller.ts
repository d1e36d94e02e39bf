import { type Caller, Creator, creators, identity, limits, type Output } from '@stoa/contracts';
import { Bus, Refusal } from '@stoa/messaging';
import { Controller, Post, Req, Res } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { CreatorRoute } from './openapi.decorator.ts';

@Controller('api/session')
export class SessionController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @CreatorRoute(Creator, {
    summary: "Opens the caller's profile",
    description:
      'Called after each sign-in. The first call makes the profile, which 201 tells; later ones answer it.',
    problems: [403, 409],
  })
  @ApiResponse({ status: 201, description: 'The record was made by this call.', standardSchema: Creator })
  async open(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    // Cut rather than refused: no browser is kept out by what it calls itself.
    const browser = { userAgent: request.headers['user-agent']?.slice(0, limits.userAgentLength) };
    const opening = this.bus.ask(creators.open, {}, { caller });
    const named = await Promise.race([opening.then(nameOf, () => ({})), pause(namePatienceMs, {})]);
    // It keeps the account of a caller whom creators refuses, too, which is there to be deleted.
    await this.bus.ask(identity.open, { ...browser, ...named }, { caller }).catch(laterIfAway);
    const { creator, isNew } = await opening;
    if (isNew) reply.status(201);
    return creator;
  }
}

/** Identity shares the time of the request: it is asked without the name where creators takes long, and hears it at the next log-in. */
const namePatienceMs = 500;

const nameOf = ({ creator: { displayName, version } }: Output<typeof creators.open>) => ({
  profile: { displayName, version },
});

// Identity is optional at sign-in: without it the session opens all the same, and the next one records the account.
function laterIfAway(error: unknown): void {
  if (!(error instanceof Refusal && ['unavailable', 'timeout'].includes(error.code))) throw error;
}
