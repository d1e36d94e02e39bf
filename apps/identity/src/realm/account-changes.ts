import { type Event, type Facts, identity, SessionId, Uid } from '@stoa/contracts';
import type { AdminEvent, RealmUser, UserEvent } from '../keycloak/keycloak.client.ts';
import type { FailedLogIn } from '../notices/log-in-warnings.repository.ts';
import type { OwnerChange } from '../recovery/owner-changes.repository.ts';

/** An event that this service publishes, with its data. */
export interface Announcement {
  readonly event: Event;
  readonly facts: unknown;
  /** If true, services refuse the tokens of the sessions, but browsers continue them with new tokens. */
  readonly sessionsContinue?: boolean;
}

const announce = <E extends Event>(event: E, facts: Facts<E>): Announcement => ({ event, facts });

/**
 * Keycloak's user events that this service reads; realm.json enables them. Only a logged-in user can cause
 * them: strangers could otherwise flood the stream and delay the event of a log-out.
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

/** The events to publish about a user's action. */
export function announcementsOfUserEvent({
  type,
  time,
  userId,
  sessionId,
  details = {},
}: UserEvent): Announcement[] {
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
      // Older tokens contain the old address, and a request with one would restore that address.
      return [{ ...announce(identity.sessionEnded, { uid, sid: null, at }), sessionsContinue: true }];
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

/** The change of address or password about which the owner must be mailed; undefined for other events. */
export function ownerChangeOf({ type, time, userId, details = {} }: UserEvent): OwnerChange | undefined {
  const uid = Uid.safeParse(userId).data;
  if (!uid) return undefined;
  const at = new Date(time);
  if (type === 'UPDATE_PASSWORD') return { uid, kind: 'password', at };
  const [from, to] = [details['previous_email']?.toLowerCase(), details['updated_email']?.toLowerCase()];
  return type === 'UPDATE_EMAIL' && from && to && from !== to
    ? { uid, kind: 'email', at, from, to }
    : undefined;
}

/** Events that strangers can cause. identity reads them separately, so that they delay no others. */
export const failureEventTypes = ['LOGIN_ERROR'] as const;

// Keycloak reports `user_temporarily_disabled` during a lockout and while it handles another attempt.
const wrongTries = ['invalid_user_credentials', 'user_temporarily_disabled'];

/** The failed log-in that this event reports; undefined for an unknown account and for other errors. */
export function failedLogInOf({ time, userId, error, details = {} }: UserEvent): FailedLogIn | undefined {
  const uid = Uid.safeParse(userId).data;
  if (!uid || !wrongTries.includes(error ?? '')) return undefined;
  return { uid, at: new Date(time), isCode: details['selected_credential_id'] !== undefined };
}

/** The events to publish about an action through the admin API. `find` reads the user from Keycloak. */
export async function announcementsOfAdminEvent(
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

// Keycloak's event contains no personal data and so does not say what changed; the user's state does.
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
