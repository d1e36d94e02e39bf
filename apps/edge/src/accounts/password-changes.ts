import { claimsOf } from '../proxy/token-claims.ts';

/** Milliseconds for which a change is remembered: longer than Keycloak's mailed links are valid (an hour). */
export const retentionMs = 2 * 60 * 60 * 1000;
/** Limits the memory. Above this number the oldest changes are forgotten. */
const mostRemembered = 100_000;

/** Kinds of mailed links that set a password or change the address. A later change of the password revokes them. */
const kinds = ['reset-credentials', 'execute-actions', 'update-email'];

/** Remembers when the password of each account was last changed, for as long as older mailed links may be valid. */
export class PasswordChanges {
  readonly #changedAt = new Map<string, number>();

  /** Whether all recent changes are known. Until then, the proxy refuses links that one of them may have revoked. */
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

  /** Whether the token belongs to a kind of link that a change of the password revokes. */
  concerns(token: string | null): boolean {
    const { typ } = claimsOf(token);
    return typeof typ === 'string' && kinds.includes(typ);
  }

  /** Whether the token was issued before the last change of the password. Keycloak itself refuses forged tokens. */
  revokes(token: string | null): boolean {
    const { sub, iat } = claimsOf(token);
    if (!this.concerns(token)) return false;
    if (typeof sub !== 'string' || typeof iat !== 'number') return false;
    return iat * 1000 < (this.#changedAt.get(sub) ?? 0);
  }
}
