import { plainAddress, Uid } from '@stoa/contracts';
import { callMs, Refusal } from '@stoa/messaging';
import { partDispatcher } from '@stoa/platform';
import KeycloakAdminClient, { NetworkError } from '@keycloak/keycloak-admin-client';
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { IdentityConfig } from '../identity.config.ts';

/** Keycloak did not answer, or sent an error or an answer that does not fit its API. */
export class KeycloakUnavailable extends Error {
  /** Whether no answer arrived, so that Keycloak may have executed the request. */
  get outcomeUnknown(): boolean {
    return this.cause !== undefined;
  }
}

export class EmailTaken extends Error {}

const deadlineMs = 3000;
// Keycloak answers only after the mail server has accepted the mail.
const mailDeadlineMs = 15_000;

/** Keycloak's answer does not fit the expected schema. A retry would get the same answer. */
export class UnexpectedAnswer extends KeycloakUnavailable {}

/** An event that does not fit its schema. The id and time let the reader continue behind it. */
export interface UnknownEvent {
  readonly id: string;
  readonly time: number;
  readonly unknown: z.ZodError;
}

const Time = z.int().nonnegative().max(253_402_300_799_999);

const UserEvent = z.object({
  id: z.string(),
  time: Time,
  type: z.string(),
  userId: z.string().optional(),
  sessionId: z.string().optional(),
  error: z.string().optional(),
  details: z.record(z.string(), z.string()).optional(),
});
/** An action of a user, as Keycloak recorded it. */
export type UserEvent = z.infer<typeof UserEvent>;

/** Reads the id and time of an event that does not fit its schema. */
const EventPlace = z.object({
  id: z.string().optional().catch(undefined),
  time: Time.optional().catch(undefined),
});

const AdminEvent = z.object({
  id: z.string(),
  time: Time,
  operationType: z.string(),
  resourceType: z.string(),
  resourcePath: z.string().default(''),
});
/** An action through Keycloak's admin API or console, also by this service. */
export type AdminEvent = z.infer<typeof AdminEvent>;

const RealmUser = z.object({
  id: Uid,
  email: z.string().default(''),
  emailVerified: z.boolean().default(false),
  enabled: z.boolean(),
});
export type RealmUser = z.infer<typeof RealmUser>;

const Credential = z.object({
  id: z.string(),
  type: z.string(),
  userLabel: z.string().default(''),
  // A credential of unknown age counts as new, so that undoing a change of the account removes it.
  createdDate: z.number().default(Number.MAX_SAFE_INTEGER),
});
/** A password or another way to log in; `createdDate` is in milliseconds since 1970. */
export type Credential = z.infer<typeof Credential>;

// Name of the attribute in which Keycloak keeps a new address until the user opens the mailed link.
const requestedEmailAttribute = 'kc.email.pending';
const RequestedChange = z.looseObject({
  attributes: z.record(z.string(), z.array(z.string())).default({}),
  requiredActions: z.array(z.string()).default([]),
});

const UserSession = z.object({
  id: z.string(),
  start: z.number(),
  lastAccess: z.number(),
  ipAddress: z.string().default(''),
});
export type UserSession = z.infer<typeof UserSession>;

/**
 * Selects events since `from` (milliseconds since 1970), oldest first: `max` events after the first `first`.
 */
export interface EventPage {
  readonly from: number;
  readonly first: number;
  readonly max: number;
}

/** Calls the admin API of Keycloak's realm with the service account of identity. */
@Injectable()
export class KeycloakClient {
  readonly #realm: string;
  readonly #admin: KeycloakAdminClient;
  readonly #mails: KeycloakAdminClient;

  constructor(config: IdentityConfig) {
    this.#realm = config.KEYCLOAK_REALM;
    const realm = {
      baseUrl: config.KEYCLOAK_URL,
      realmName: this.#realm,
      requestOptions: { redirect: 'error' as const, dispatcher: partDispatcher },
    };
    const credentials = {
      grantType: 'client_credentials' as const,
      clientId: config.KEYCLOAK_CLIENT_ID,
      clientSecret: config.KEYCLOAK_CLIENT_SECRET,
    };
    // With this option the library returns null for a 404 instead of throwing.
    const requestArgOptions = { catchNotFound: true };
    const admin = withBudget(new KeycloakAdminClient({ ...realm, requestArgOptions }), deadlineMs);
    const getAccessToken = async () => {
      if (!admin.accessToken || admin.isTokenExpired()) await admin.auth(credentials).catch(withoutToken);
      return admin.accessToken;
    };
    this.#admin = admin;
    this.#mails = withBudget(new KeycloakAdminClient(realm), mailDeadlineMs);
    for (const client of [this.#admin, this.#mails]) client.registerTokenProvider({ getAccessToken });
  }

  userEvents(type: readonly string[], page: EventPage): Promise<(UserEvent | UnknownEvent)[]> {
    return this.#events('events', UserEvent, { type }, page);
  }

  adminEvents(resourceTypes: readonly string[], page: EventPage): Promise<(AdminEvent | UnknownEvent)[]> {
    return this.#events('admin-events', AdminEvent, { resourceTypes }, page);
  }

  findUser(id: string): Promise<RealmUser | null> {
    return this.#ask(RealmUser.nullable(), () => this.#admin.users.findOne({ id }));
  }

  async sessionsOf(id: string): Promise<UserSession[]> {
    const Sessions = z.array(UserSession).nullable();
    return (await this.#ask(Sessions, () => this.#admin.users.listSessions({ id }))) ?? [];
  }

  async endSession(sessionId: string): Promise<void> {
    await this.#ask(z.unknown(), () => this.#admin.realms.removeSession({ realm: this.#realm, sessionId }));
  }

  async endSessionsOf(id: string): Promise<void> {
    await this.#ask(z.unknown(), () => this.#admin.users.logout({ id }));
  }

  /** Deletes the user with all sessions and credentials. Does not fail if the user is already deleted. */
  async deleteUser(id: string): Promise<void> {
    await this.#ask(z.unknown(), () => this.#admin.users.del({ id }));
  }

  async findByEmail(email: string): Promise<RealmUser | undefined> {
    const sought = { email: plainAddress(email), exact: true };
    const [user] = await this.#ask(z.array(RealmUser), () => this.#admin.users.find(sought));
    return user;
  }

  /**
   * Converts the address to the realm's spelling first, because older rows may have another spelling.
   * @throws EmailTaken
   */
  async setVerifiedEmail(uid: string, email: string): Promise<void> {
    await this.#update(uid, { email: plainAddress(email), emailVerified: true });
  }

  /** Cancels a change of address that the user has requested but not yet confirmed. */
  async discardRequestedEmail(id: string): Promise<void> {
    const user = await this.#ask(RequestedChange, () => this.#admin.users.findOne({ id }));
    const requiredActions = user.requiredActions.filter((action) => action !== 'UPDATE_EMAIL');
    if (
      !(requestedEmailAttribute in user.attributes) &&
      requiredActions.length === user.requiredActions.length
    )
      return;
    // Keycloak deletes an attribute only if its value is an empty string.
    const attributes = { ...user.attributes, [requestedEmailAttribute]: [''] };
    await this.#update(id, { ...user, attributes, requiredActions });
  }

  /** Frees the account's address for another account. Its user can log in by username and set a new one. */
  async replaceEmail(uid: string): Promise<void> {
    await this.#update(uid, { email: `${uid}@unproved.invalid`, emailVerified: false });
  }

  async credentialsOf(id: string): Promise<Credential[]> {
    const Credentials = z.array(Credential).nullable();
    return (await this.#ask(Credentials, () => this.#admin.users.getCredentials({ id }))) ?? [];
  }

  async removeCredential(id: string, credentialId: string): Promise<void> {
    await this.#ask(z.unknown(), () => this.#admin.users.deleteCredential({ id, credentialId }));
  }

  /** Makes Keycloak mail a link for setting a new password, valid for 600 seconds. */
  async sendReset(id: string): Promise<void> {
    const mail = { id, clientId: 'web', lifespan: 600, actions: ['UPDATE_PASSWORD'] };
    await this.#ask(z.unknown(), () => this.#mails.users.executeActionsEmail(mail));
  }

  async sendProof(id: string): Promise<void> {
    // The library's own sendVerifyEmail has no parameter for the lifespan of the link (in seconds).
    const sendVerifyEmail = this.#mails.users.makeRequest({
      method: 'PUT',
      path: '/{id}/send-verify-email',
      urlParamKeys: ['id'],
      queryParamKeys: ['client_id', 'lifespan'],
    });
    await this.#ask(z.unknown(), () => sendVerifyEmail({ id, client_id: 'web', lifespan: 86_400 }));
  }

  async #events<S extends z.ZodType>(
    stream: 'events' | 'admin-events',
    schema: S,
    kinds: object,
    { from: dateFrom, first, max }: EventPage,
  ): Promise<(z.infer<S> | UnknownEvent)[]> {
    // The library's own findEvents and findAdminEvents have no parameter for the order.
    const find = this.#admin.realms.makeRequest({
      method: 'GET',
      path: `/{realm}/${stream}`,
      urlParamKeys: ['realm'],
    });
    const page = { realm: this.#realm, dateFrom, direction: 'asc', first, max };
    const events = await this.#ask(z.array(z.unknown()), () => find({ ...page, ...kinds }));
    return events.map((event) => {
      const parsed = schema.safeParse(event);
      if (parsed.success) return parsed.data;
      const { id = hashOf(event), time = dateFrom } = EventPlace.catch({}).parse(event);
      return { id, time, unknown: parsed.error };
    });
  }

  async #update(id: string, changes: object): Promise<void> {
    const decided = (error: unknown) => {
      if (statusOf(error) === 409) throw new EmailTaken('Another account has this address.');
      if (statusOf(error) !== 404) throw error;
    };
    await this.#ask(z.unknown(), () => this.#admin.users.update({ id }, changes).catch(decided));
  }

  /** Sends a request and parses the answer. After a 401 it retries once with a new access token. */
  async #ask<S extends z.ZodType>(schema: S, request: () => Promise<unknown>): Promise<z.infer<S>> {
    const answer = await request()
      .catch((error: unknown) => {
        if (statusOf(error) !== 401) throw error;
        delete this.#admin.accessToken;
        return request();
      })
      .catch(asUnavailable);
    const parsed = schema.safeParse(answer);
    if (parsed.success) return parsed.data;
    throw new UnexpectedAnswer(`Keycloak answered with something else: ${z.prettifyError(parsed.error)}`);
  }
}

const statusOf = (error: unknown) => (error instanceof NetworkError ? error.response.status : undefined);

/** Makes an id for an event that has none. Reading the same event again gives the same id. */
const hashOf = (event: unknown) => createHash('sha256').update(JSON.stringify(event)).digest('hex');

/** Limits each call to `mostMs`, or to the caller's remaining time if that is shorter. */
function withBudget(client: KeycloakAdminClient, mostMs: number): KeycloakAdminClient {
  return Object.defineProperty(client, 'timeout', { get: () => callMs(mostMs) });
}

function asUnavailable(error: unknown): never {
  if ([EmailTaken, KeycloakUnavailable, Refusal].some((known) => error instanceof known)) throw error;
  if (error instanceof NetworkError) {
    const { url, status } = error.response;
    throw new KeycloakUnavailable(`Keycloak answered ${pathOf(url)} with ${status}`);
  }
  throw new KeycloakUnavailable(`Keycloak did not answer: ${reasonOf(error)}`, { cause: error });
}

/** If Keycloak refuses the client secret, throws an error that causes no retry with a new token. */
function withoutToken(error: unknown): never {
  const status = statusOf(error);
  throw status === undefined ? error : new KeycloakUnavailable(`Keycloak gave no token: status ${status}`);
}

// The error of `fetch` contains only "fetch failed"; its cause contains the reason.
const reasonOf = (error: unknown) =>
  error instanceof Error ? String(error.cause ?? error.message) : String(error);

// Hides the account ids in a path, because errors are logged.
const pathOf = (url: string) => new URL(url).pathname.replace(/[\w-]{16,}/g, '…');
