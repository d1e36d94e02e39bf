import { plainAddress, Uid } from '@stoa/contracts';
import { callMs, Refusal } from '@stoa/messaging';
import { partDispatcher } from '@stoa/platform';
import KeycloakAdminClient, { NetworkError } from '@keycloak/keycloak-admin-client';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { IdentityConfig } from './identity.config.ts';

/** Keycloak did not answer, or not with what its API promises. */
export class KeycloakUnavailable extends Error {
  /** Keycloak may have done what it was asked: only its answer is missing. */
  get outcomeUnknown(): boolean {
    return this.cause !== undefined;
  }
}

/** Another account has the address. */
export class EmailTaken extends Error {}

const deadlineMs = 3000;
// It answers when the mail server has taken the mail.
const mailDeadlineMs = 15_000;

const UserEvent = z.object({
  id: z.string(),
  time: z.number(),
  type: z.string(),
  userId: z.string().optional(),
  sessionId: z.string().optional(),
  /** Why it failed, in Keycloak's word. */
  error: z.string().optional(),
  details: z.record(z.string(), z.string()).optional(),
});
/** Something that a user did, as Keycloak recorded it. */
export type UserEvent = z.infer<typeof UserEvent>;

const AdminEvent = z.object({
  id: z.string(),
  time: z.number(),
  operationType: z.string(),
  resourceType: z.string(),
  resourcePath: z.string().default(''),
});
/** Something that was done through the admin API or console, by this service too. */
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
  // One of unknown age counts as made just now.
  createdDate: z.number().default(Number.MAX_SAFE_INTEGER),
});
/** A way to log in; when it was made in milliseconds since 1970. */
export type Credential = z.infer<typeof Credential>;

// Keycloak keeps it with the user, asks about it at each log-in, and takes the link that proves it.
const askedEmail = 'kc.email.pending';
const AskedChange = z.looseObject({
  attributes: z.record(z.string(), z.array(z.string())).default({}),
  requiredActions: z.array(z.string()).default([]),
});

const UserSession = z.object({
  id: z.string(),
  /** Milliseconds since 1970, as the next one. */
  start: z.number(),
  lastAccess: z.number(),
  ipAddress: z.string().default(''),
});
export type UserSession = z.infer<typeof UserSession>;

/** A part of the events since `from` (milliseconds since 1970), the oldest first. */
export interface EventPage {
  readonly from: number;
  readonly first: number;
  readonly max: number;
}

/** The admin API of the realm, as the service account of this service's client. */
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
    // Null where there is no such thing.
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

  userEvents(type: readonly string[], page: EventPage): Promise<UserEvent[]> {
    return this.#events('events', z.array(UserEvent), { type }, page);
  }

  adminEvents(resourceTypes: readonly string[], page: EventPage): Promise<AdminEvent[]> {
    return this.#events('admin-events', z.array(AdminEvent), { resourceTypes }, page);
  }

  /** The user, or null when there is none. */
  findUser(id: string): Promise<RealmUser | null> {
    return this.#ask(RealmUser.nullable(), () => this.#admin.users.findOne({ id }));
  }

  async sessionsOf(id: string): Promise<UserSession[]> {
    const Sessions = z.array(UserSession).nullable();
    return (await this.#ask(Sessions, () => this.#admin.users.listSessions({ id }))) ?? [];
  }

  /** Ends a session. One that is over already is no error. */
  async endSession(sessionId: string): Promise<void> {
    await this.#ask(z.unknown(), () => this.#admin.realms.removeSession({ realm: this.#realm, sessionId }));
  }

  async endSessionsOf(id: string): Promise<void> {
    await this.#ask(z.unknown(), () => this.#admin.users.logout({ id }));
  }

  /** Deletes the user with sessions and credentials. One that is gone already is no error. */
  async deleteUser(id: string): Promise<void> {
    await this.#ask(z.unknown(), () => this.#admin.users.del({ id }));
  }

  async findByEmail(email: string): Promise<RealmUser | undefined> {
    const sought = { email: plainAddress(email), exact: true };
    const [user] = await this.#ask(z.array(RealmUser), () => this.#admin.users.find(sought));
    return user;
  }

  /**
   * Spells the address as the realm takes it: one that the account had before may be kept in an older spelling.
   * @throws EmailTaken
   */
  async setVerifiedEmail(uid: string, email: string): Promise<void> {
    await this.#update(uid, { email: plainAddress(email), emailVerified: true });
  }

  /** Forgets an address that somebody asked to change to and has not proved. */
  async forgetRequestedEmail(id: string): Promise<void> {
    const user = await this.#ask(AskedChange, () => this.#admin.users.findOne({ id }));
    const requiredActions = user.requiredActions.filter((action) => action !== 'UPDATE_EMAIL');
    if (!(askedEmail in user.attributes) && requiredActions.length === user.requiredActions.length) return;
    // Keycloak keeps it when it is left out, and when its list is empty.
    const attributes = { ...user.attributes, [askedEmail]: [''] };
    await this.#update(id, { ...user, attributes, requiredActions });
  }

  /** Leaves an account without an address that mail could reach; whose it is can name another one. */
  async takeEmailFrom(uid: string): Promise<void> {
    await this.#update(uid, { email: `${uid}@unproved.invalid`, emailVerified: false });
  }

  async credentialsOf(id: string): Promise<Credential[]> {
    const Credentials = z.array(Credential).nullable();
    return (await this.#ask(Credentials, () => this.#admin.users.getCredentials({ id }))) ?? [];
  }

  /** Removes a way to log in. One that is gone already is no error. */
  async removeCredential(id: string, credentialId: string): Promise<void> {
    await this.#ask(z.unknown(), () => this.#admin.users.deleteCredential({ id, credentialId }));
  }

  /** Has Keycloak mail the link for a new password, good for ten minutes. */
  async sendReset(id: string): Promise<void> {
    const mail = { id, clientId: 'web', lifespan: 600, actions: ['UPDATE_PASSWORD'] };
    await this.#ask(z.unknown(), () => this.#mails.users.executeActionsEmail(mail));
  }

  /** Has Keycloak mail the link that proves the user's address, good for a day. */
  async sendProof(id: string): Promise<void> {
    // The library's own sendVerifyEmail knows no lifespan.
    const sendVerifyEmail = this.#mails.users.makeRequest({
      method: 'PUT',
      path: '/{id}/send-verify-email',
      urlParamKeys: ['id'],
      queryParamKeys: ['client_id', 'lifespan'],
    });
    await this.#ask(z.unknown(), () => sendVerifyEmail({ id, client_id: 'web', lifespan: 86_400 }));
  }

  #events<S extends z.ZodType>(
    stream: 'events' | 'admin-events',
    schema: S,
    kinds: object,
    { from: dateFrom, first, max }: EventPage,
  ): Promise<z.infer<S>> {
    // The library's own findEvents and findAdminEvents know no order.
    const find = this.#admin.realms.makeRequest({
      method: 'GET',
      path: `/{realm}/${stream}`,
      urlParamKeys: ['realm'],
    });
    const page = { realm: this.#realm, dateFrom, direction: 'asc', first, max };
    return this.#ask(schema, () => find({ ...page, ...kinds }));
  }

  async #update(id: string, changes: object): Promise<void> {
    const decided = (error: unknown) => {
      if (statusOf(error) === 409) throw new EmailTaken('Another account has this address.');
      if (statusOf(error) !== 404) throw error;
    };
    await this.#ask(z.unknown(), () => this.#admin.users.update({ id }, changes).catch(decided));
  }

  /** What Keycloak answers, as it should be. A token that is refused is replaced once. */
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
    throw new KeycloakUnavailable(`Keycloak answered with something else: ${z.prettifyError(parsed.error)}`);
  }
}

const statusOf = (error: unknown) => (error instanceof NetworkError ? error.response.status : undefined);

/** Each call has `mostMs`, unless who asks waits for less: the client reads its timeout anew for each. */
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

/** A refused secret is no refused token: another one is not to be had. */
function withoutToken(error: unknown): never {
  const status = statusOf(error);
  throw status === undefined ? error : new KeycloakUnavailable(`Keycloak gave no token: status ${status}`);
}

// fetch says only that it failed; why stands in the cause.
const reasonOf = (error: unknown) =>
  error instanceof Error ? String(error.cause ?? error.message) : String(error);

// What an error says may be logged: a path names an account, its kind does not.
const pathOf = (url: string) => new URL(url).pathname.replace(/[\w-]{16,}/g, '…');
