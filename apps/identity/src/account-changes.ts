import { type Event, type Facts, identity, SessionId, Uid } from '@stoa/contracts';
import type { AdminEvent, RealmUser, UserEvent } from './keycloak.client.ts';

/** An event of this service that is due. */
export interface Announcement {
  readonly event: Event;
  readonly facts: unknown;
  /** Only tokens of the sessions are refused; their browsers get new ones. */
  readonly sessionsGoOn?: boolean;
}

const announce = <E extends Event>(event: E, facts: Facts<E>): Announcement => ({ event, facts });

/**
 * The user events that say something here; realm.json has them recorded. None of them can be brought about without an
 * account: a stranger who could fill this stream (as with REFRESH_TOKEN_ERROR) could hide a log-out behind it for long.
 */
export const userEventTypes = [
  'LOGOUT',
  'REVOKE_GRANT',
  'UPDATE_PASSWORD',
  'UPDATE_EMAIL',
  'VERIFY_EMAIL',
  'DELETE_ACCOUNT',
  'USER_DISABLED_BY_PERMANENT_LOCKOUT',
] as const;

export const adminResourceTypes = ['USER', 'USER_SESSION', 'REALM'] as const;

/** What follows from something that a user did. */
export function fromUserEvent({ type, time, userId, sessionId, details = {} }: UserEvent): Announcement[] {
  const at = new Date(time).toISOString();
  const uid = Uid.safeParse(userId).data;
  if (!uid) return [];
  switch (type) {
    case 'LOGOUT':
    case 'REVOKE_GRANT':
      return sessionEnded(uid, sessionId, at);
    case 'UPDATE_PASSWORD':
      return [announce(identity.passwordChanged, { uid, at })];
    case 'UPDATE_EMAIL':
      // Older tokens name the old address, and opening a session with one would bring it back. Browsers renew theirs.
      return [{ ...announce(identity.sessionEnded, { uid, sid: null, at }), sessionsGoOn: true }];
    case 'VERIFY_EMAIL':
      return details['email'] ? [announce(identity.emailVerified, { uid, email: details['email'], at })] : [];
    case 'DELETE_ACCOUNT':
      return closed(uid, at);
    case 'USER_DISABLED_BY_PERMANENT_LOCKOUT':
      return [announce(identity.sessionEnded, { uid, sid: null, at })];
    default:
      return [];
  }
}

/** A change of an account that its owner before the change may undo. */
export interface OwnerChange {
  readonly uid: string;
  readonly kind: 'email' | 'password';
  readonly at: Date;
  /** Of an address: what it was, and what it is now, which Keycloak had proved first. */
  readonly from?: string;
  readonly to?: string;
}

/** The change that an event tells of, if it is one that is mailed to the owner before it. */
export function ownerChangeIn({ type, time, userId, details = {} }: UserEvent): OwnerChange | undefined {
  const uid = Uid.safeParse(userId).data;
  if (!uid) return undefined;
  const at = new Date(time);
  if (type === 'UPDATE_PASSWORD') return { uid, kind: 'password', at };
  const [from, to] = [details['previous_email']?.toLowerCase(), details['updated_email']?.toLowerCase()];
  return type === 'UPDATE_EMAIL' && from && to && from !== to
    ? { uid, kind: 'email', at, from, to }
    : undefined;
}

/** What strangers can bring about: read apart, so that nothing of the others waits behind it. */
export const failureEventTypes = ['LOGIN_ERROR'] as const;

/** A log-in that failed by a wrong password or code. */
export interface FailedLogIn {
  readonly uid: string;
  readonly at: Date;
  /** Whether it was a code of an authenticator app, which is asked for after the right password. */
  readonly isCode: boolean;
}

// The second is of a try while another one of the account is being judged, or has made it wait.
const wrongTries = ['invalid_user_credentials', 'user_temporarily_disabled'];

/** The failed log-in that an event records, if it is one to a known account. */
export function failedLogInIn({ time, userId, error, details = {} }: UserEvent): FailedLogIn | undefined {
  const uid = Uid.safeParse(userId).data;
  if (!uid || !wrongTries.includes(error ?? '')) return undefined;
  return { uid, at: new Date(time), isCode: details['selected_credential_id'] !== undefined };
}

/** What follows from something that was done through the admin API. `find` answers a user as they are now. */
export async function fromAdminEvent(
  { operationType, resourceType, resourcePath, time }: AdminEvent,
  find: (uid: string) => Promise<RealmUser | null>,
): Promise<Announcement[]> {
  const at = new Date(time).toISOString();
  const [kind, id, action] = resourcePath.split('/');
  if (resourceType === 'REALM' && resourcePath === 'logout-all') {
    return [announce(identity.sessionEnded, { uid: null, sid: null, at })];
  }
  if (resourceType === 'USER_SESSION' && kind === 'sessions' && operationType === 'DELETE') {
    const sid = SessionId.safeParse(id).data;
    return sid ? [announce(identity.sessionEnded, { uid: null, sid, at })] : [];
  }
  const uid = resourceType === 'USER' && kind === 'users' ? Uid.safeParse(id).data : undefined;
  if (!uid) return [];
  if (operationType === 'DELETE' && !action) return closed(uid, at);
  if (operationType === 'UPDATE' && !action) {
    const user = await find(uid);
    return user ? fromUpdate(user, at) : [];
  }
  if (operationType === 'ACTION' && action === 'logout') {
    return [announce(identity.sessionEnded, { uid, sid: null, at })];
  }
  if (operationType === 'ACTION' && action === 'reset-password') {
    return [announce(identity.passwordChanged, { uid, at })];
  }
  return [];
}

// The event does not say what was changed, so that it holds no personal data.
function fromUpdate({ id: uid, enabled, email, emailVerified }: RealmUser, at: string): Announcement[] {
  return [
    ...(enabled ? [] : [announce(identity.sessionEnded, { uid, sid: null, at })]),
    ...(emailVerified && email ? [announce(identity.emailVerified, { uid, email, at })] : []),
  ];
}

function sessionEnded(uid: string, sessionId: string | undefined, at: string): Announcement[] {
  const sid = SessionId.safeParse(sessionId).data;
  return sid ? [announce(identity.sessionEnded, { uid, sid, at })] : [];
}

const closed = (uid: string, at: string): Announcement[] => [
  announce(identity.sessionEnded, { uid, sid: null, at }),
  announce(identity.closed, { uid, at }),
];
