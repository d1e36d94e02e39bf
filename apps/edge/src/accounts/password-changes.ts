import { claimsOf } from '../proxy/token-claims.ts';

/** Longer than a mailed link of Keycloak is valid, which is an hour. */
export const retentionMs = 2 * 60 * 60 * 1000;
/** Bound on memory. The oldest changes are dropped first. */
const mostRemembered = 100_000;

/** Links that set a password or change the address of the account. A later change of the password revokes them. */
const kinds = ['reset-credentials', 'execute-actions', 'update-email'];

/** The time of each account's last change of the password, for as long as a mailed link may be older. */
export class PasswordChanges {
  readonly #changedAt = new Map<string, number>();

  /** Whether past changes are known. Until then a link that one of them may have revoked is refused. */
  get isCaughtUp(): boolean {
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

  /** Whether a change of the password revokes the link with this action token. */
  concerns(token: string | null): boolean {
    const { typ } = claimsOf(token);
    return typeof typ === 'string' && kinds.includes(typ);
  }

  /**
   * Whether the link with this action token was sent before the last change of the password. The signature is not checked:
   * Keycloak refuses a forged token.
   */
  revokes(token: string | null): boolean {
    const { sub, iat } = claimsOf(token);
    if (!this.concerns(token)) return false;
    if (typeof sub !== 'string' || typeof iat !== 'number') return false;
    return iat * 1000 < (this.#changedAt.get(sub) ?? 0);
  }
}
