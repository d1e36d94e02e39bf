import type { ReservedUsername } from '@stoa/contracts';
import { usernameDigest } from '@stoa/platform';
import { writeForm } from './read-form.ts';

/** creators announces each reservation anew after 20 days, and NATS keeps events for 30. */
export const retentionMs = 31 * 24 * 60 * 60 * 1000;
/** Some 25 MB; beyond, the one that was announced longest ago is forgotten, and only creators refuses it. */
const mostRemembered = 200_000;

/** Fields of a sign-up that Keycloak refuses, and its page with the username as it was typed. */
export interface RefusedSignUp {
  readonly body: Buffer;
  readonly edit: (html: string) => string;
}

/** The usernames of closed accounts, which Keycloak does not know. */
export class ReservedUsernames {
  /** By digest; milliseconds since 1970. */
  readonly #until = new Map<string, number>();

  /** Whether those of the past are known. A sign-up must wait for that. */
  get areKnown(): boolean {
    return true;
  }

  add({ digest, until }: ReservedUsername): void {
    this.#until.delete(digest);
    this.#until.set(digest, until === null ? Infinity : Date.parse(until));
    for (const [oldest] of this.#until) {
      if (this.#until.size <= mostRemembered) break;
      this.#until.delete(oldest);
    }
  }

  /** The sign-up with a username that Keycloak's own rule refuses in place of one that is reserved; undefined for any other. */
  refuse(body: unknown): RefusedSignUp | undefined {
    const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');
    // As Keycloak stores it.
    const username = (form.get('username') ?? '').trim().toLowerCase();
    if (!((this.#until.get(usernameDigest(username)) ?? 0) > Date.now())) return undefined;
    const refused = `${username}.`;
    form.set('username', refused);
    return {
      body: Buffer.from(writeForm(form)),
      edit: (html) => html.replaceAll(`value="${refused}"`, () => `value="${username}"`),
    };
  }
}
