import { creators, requiredLine, usernameRefusal, UsernameCheck } from '@stoa/contracts';
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
    summary: 'Checks whether a username is available',
    description: `The sign-up page calls it while a visitor types. It reveals only the names of public profiles, and names that a closed
account had. A name of any other account is called free.`,
  })
  async check(
    @Param('username', { schema: requiredLine(60).describe('In any letter case.') }) given: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UsernameCheck> {
    // Lets the sign-up page send this request. It is a page of Keycloak, which has another origin.
    void reply.header('access-control-allow-origin', this.#signUpOrigin);
    const username = given.toLowerCase();
    return { username, state: usernameRefusal(username) ?? (await this.#stateOf(username)) };
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
