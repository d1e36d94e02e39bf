import { claimsOf } from './token-claims.ts';

/** Longer than Keycloak lets a link live, which is an hour. */
export const retentionMs = 2 * 60 * 60 * 1000;
/** So many changes at least are remembered, however many come. */
const mostRemembered = 100_000;

/** Links that let somebody choose a password or take the account to another address; a change of the password voids them. */
const kinds = ['reset-credentials', 'execute-actions', 'update-email'];

/** When passwords were changed, as far as a link could be older. */
export class PasswordChanges {
  readonly #changedAt = new Map<string, number>();

  /** Whether the changes of the past are known. A link that some of them may void must wait for that. */
  get areKnown(): boolean {
    return true;
  }

  add({ uid, at }: { readonly uid: string; readonly at: string }): void {
    const changedAt = Math.max(Date.parse(at), this.#changedAt.get(uid) ?? 0);
    this.#changedAt.delete(uid);
    this.#changedAt.set(uid, changedAt);
    for (const [oldest, time] of this.#changedAt) {
      if (this.#changedAt.size <= mostRemembered && time > Date.now() - retentionMs) break;
      this.#changedAt.delete(oldest);
    }
  }

  /** Whether a change of the password would void the link with this action token. */
  concern(token: string | null): boolean {
    const { typ } = claimsOf(token);
    return typeof typ === 'string' && kinds.includes(typ);
  }

  /**
   * Whether the link with this action token was sent before the password was last changed. Its signature is Keycloak's
   * affair: who forges a token has it refused here or there.
   */
  revokes(token: string | null): boolean {
    const { sub, iat } = claimsOf(token);
    if (!this.concern(token)) return false;
    if (typeof sub !== 'string' || typeof iat !== 'number') return false;
    return iat * 1000 < (this.#changedAt.get(sub) ?? 0);
  }
}
