import { creators, requiredLine, ruledOut, UsernameCheck } from '@stoa/contracts';
import { Bus, Refusal } from '@stoa/messaging';
import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { GatewayConfig } from '../gateway.config.ts';
import { CreatorReads } from '../reads/creator-reads.ts';
import { PublicRoute } from './openapi.decorator.ts';

@Controller('api/usernames')
export class UsernamesController {
  readonly #signUpOrigin: string;

  constructor(
    private readonly bus: Bus,
    private readonly creators: CreatorReads,
    config: GatewayConfig,
  ) {
    this.#signUpOrigin = new URL(config.KEYCLOAK_URL).origin;
  }

  @Get(':username')
  @PublicRoute(UsernameCheck, {
    summary: 'Tells whether a username can be had',
    description: `For the sign-up page, which asks while somebody types. It tells of public profiles what their pages tell anyway, and of
other accounts nothing, but that a closed one had the name.`,
  })
  async check(
    @Param('username', { schema: requiredLine(60).describe('In any letter case.') }) given: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UsernameCheck> {
    // The sign-up page stands at Keycloak's address.
    void reply.header('access-control-allow-origin', this.#signUpOrigin);
    const username = given.toLowerCase();
    return { username, state: ruledOut(username) ?? (await this.#stateOf(username)) };
  }

  async #stateOf(username: string): Promise<UsernameCheck['state']> {
    if (await this.#isTaken(username)) return 'taken';
    const { isReserved } = await this.bus.ask(creators.checkUsername, { username });
    return isReserved ? 'reserved' : 'free';
  }

  async #isTaken(username: string): Promise<boolean> {
    try {
      await this.creators.profile(username);
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return false;
      throw error;
    }
  }
}
