import type { ReservedUsername } from '@stoa/contracts';
import { usernameDigest } from '@stoa/platform';
import { changeTags } from '../forms/page-tags.ts';
import { writeForm } from '../proxy/read-form.ts';

/** Longer than NATS keeps events (30 days). The creators service publishes each reservation again after 20 days. */
export const retentionMs = 31 * 24 * 60 * 60 * 1000;
/** Takes about 25 MB. Above this number the edge forgets the oldest ones, which only the creators service then refuses. */
const mostRemembered = 200_000;

/** A changed sign-up form that Keycloak refuses. `edit` restores the typed username in the page of the refusal. */
export interface RefusedSignUp {
  readonly body: Buffer;
  readonly edit: (html: string) => string;
}

/** Usernames of closed accounts. Keycloak has deleted these accounts and would accept the names again. */
export class ReservedUsernames {
  /** End of each reservation in milliseconds since 1970, by digest of the username. */
  readonly #until = new Map<string, number>();

  /** Whether all reservations are known. Until then, the proxy refuses sign-ups. */
  get isCaughtUp(): boolean {
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

  /** Replaces a reserved username by an invalid one, so that Keycloak shows its usual page. Undefined for other usernames. */
  refuse(body: unknown): RefusedSignUp | undefined {
    const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');
    // Keycloak stores usernames trimmed and in lower case.
    const username = (form.get('username') ?? '').trim().toLowerCase();
    if (!((this.#until.get(usernameDigest(username)) ?? 0) > Date.now())) return undefined;
    const refused = `${username}.`;
    form.set('username', refused);
    return {
      body: Buffer.from(writeForm(form)),
      edit: (html) =>
        changeTags(html, ({ attributes }) =>
          attributes.get('name') === 'username' && attributes.get('value') === refused
            ? { attribute: 'value', value: username }
            : undefined,
        ),
    };
  }
}
