import type { ReservedUsername } from '@stoa/contracts';
import { usernameDigest } from '@stoa/platform';
import { changeTags } from '../forms/page-tags.ts';
import { writeForm } from '../proxy/read-form.ts';

/** creators publishes each reservation again after 20 days, and NATS keeps events for 30. */
export const retentionMs = 31 * 24 * 60 * 60 * 1000;
/** About 25 MB. Beyond this bound the oldest reservation is dropped, and only creators refuses that username. */
const mostRemembered = 200_000;

/** A sign-up form that Keycloak refuses, and an edit that restores the typed username in the page of the refusal. */
export interface RefusedSignUp {
  readonly body: Buffer;
  readonly edit: (html: string) => string;
}

/** The usernames of closed accounts. Keycloak itself would accept them. */
export class ReservedUsernames {
  /** The end of each reservation by digest of the username, in milliseconds since 1970. */
  readonly #until = new Map<string, number>();

  /** Whether past reservations are known. Until then a sign-up is refused. */
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

  /**
   * The form with its reserved username replaced by one that Keycloak's rule refuses, so that Keycloak shows its usual page.
   * Undefined for a username that is not reserved.
   */
  refuse(body: unknown): RefusedSignUp | undefined {
    const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');
    // Keycloak stores usernames in this form.
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
