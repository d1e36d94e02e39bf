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
      'Clients call it after each log-in. The first call creates the profile and returns 201, later calls return the profile.',
    problems: [403, 409],
  })
  @ApiResponse({ status: 201, description: 'This call created the profile.', standardSchema: Creator })
  async open(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    // Shortens the User-Agent, so that a long one does not make the log-in fail.
    const browser = { userAgent: request.headers['user-agent']?.slice(0, limits.userAgentLength) };
    const opening = this.bus.ask(creators.open, {}, { caller });
    const named = await Promise.race([opening.then(nameOf, () => ({})), pause(namePatienceMs, {})]);
    // Identity stores the account even if the creators service refuses the profile, so that the owner can delete the account.
    await this.bus.ask(identity.open, { ...browser, ...named }, { caller }).catch(laterIfAway);
    const { creator, isNew } = await opening;
    if (isNew) reply.status(201);
    return creator;
  }
}

/** Milliseconds to wait for the display name. If it is late, identity gets the name at the next log-in. */
const namePatienceMs = 500;

const nameOf = ({ creator: { displayName, version } }: Output<typeof creators.open>) => ({
  profile: { displayName, version },
});

// Identity may be down at a log-in. The next log-in then records the account.
function laterIfAway(error: unknown): void {
  if (!(error instanceof Refusal && ['unavailable', 'timeout'].includes(error.code))) throw error;
}
