import { type FlowSettings, signIn, signUp, type Tokens } from '@stoa/realm';
import type { CreatorSeed } from './creators.ts';
import { Problem } from './settings.ts';

// Milliseconds before its expiry at which a token is renewed, so that it does not expire during an upload.
const marginMs = 60_000;

/** A signed-in account that signs in again before its token expires. */
export class Account {
  readonly #login: FlowSettings & { username: string; password: string };
  #token: string;
  #expiresAt: number;

  private constructor(login: FlowSettings & { username: string; password: string }, tokens: Tokens) {
    this.#login = login;
    this.#token = tokens.accessToken;
    this.#expiresAt = expiry(tokens);
  }

  /** Signs up, or signs in if the account exists. */
  static async open(
    flow: FlowSettings,
    person: Pick<CreatorSeed, 'username' | 'displayName'>,
    password: string,
    known: boolean,
  ): Promise<Account> {
    const { username, displayName } = person;
    const login = { ...flow, username, password };
    const email = `${username}@example.com`;
    if (known) return new Account(login, await signInto(login));
    try {
      return new Account(login, await signUp({ ...login, displayName, email }));
    } catch (refusal) {
      // If an earlier seeding ended right after the sign-up, the account exists but has no public creator.
      const tokens = await signIn(login).catch(() => undefined);
      if (!tokens) throw refusal;
      return new Account(login, tokens);
    }
  }

  async token(): Promise<string> {
    if (Date.now() > this.#expiresAt) {
      const tokens = await signIn(this.#login);
      this.#token = tokens.accessToken;
      this.#expiresAt = expiry(tokens);
    }
    return this.#token;
  }
}

function expiry({ expiresIn }: Tokens): number {
  return Date.now() + Math.max(0, expiresIn * 1000 - marginMs);
}

async function signInto(login: FlowSettings & { username: string; password: string }): Promise<Tokens> {
  try {
    return await signIn(login);
  } catch (error) {
    throw new Problem(
      `${login.username} cannot sign in; was it seeded with another SEED_PASSWORD? ${(error as Error).message}`,
    );
  }
}
