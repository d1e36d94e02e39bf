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
    // Truncated, since a long User-Agent must not prevent a log-in.
    const browser = { userAgent: request.headers['user-agent']?.slice(0, limits.userAgentLength) };
    const opening = this.bus.ask(creators.open, {}, { caller });
    const named = await Promise.race([opening.then(nameOf, () => ({})), pause(namePatienceMs, {})]);
    // Identity records the account even when creators refuses the profile, so that its owner can delete it.
    await this.bus.ask(identity.open, { ...browser, ...named }, { caller }).catch(laterIfAway);
    const { creator, isNew } = await opening;
    if (isNew) reply.status(201);
    return creator;
  }
}

/** Both calls share the deadline of the request. When creators is slow, identity gets the display name at the next log-in. */
const namePatienceMs = 500;

const nameOf = ({ creator: { displayName, version } }: Output<typeof creators.open>) => ({
  profile: { displayName, version },
});

// Identity is optional at a log-in. During its outage the session opens, and the next log-in records the account.
function laterIfAway(error: unknown): void {
  if (!(error instanceof Refusal && ['unavailable', 'timeout'].includes(error.code))) throw error;
}
