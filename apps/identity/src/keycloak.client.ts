import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { IdentityConfig } from './identity.config.ts';

/** Keycloak did not answer, or not with what its API promises. */
export class KeycloakUnavailable extends Error {
  /** Keycloak may have done what it was asked: only its answer is missing. */
  get undecided(): boolean {
    return this.cause !== undefined;
  }
}

/** Another account has the address. */
export class EmailTaken extends Error {}

const deadlineMs = 3000;
// It answers when the mail server has taken the mail.
const mailDeadlineMs = 15_000;
// Renewed before it runs out, so that no call travels with a token that dies on the way.
const marginMs = 30_000;

const Token = z.object({ access_token: z.string(), expires_in: z.number() });

const UserEvent = z.object({
  id: z.string(),
  time: z.number(),
  type: z.string(),
  userId: z.string().optional(),
  sessionId: z.string().optional(),
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
  id: z.uuid(),
  email: z.string().default(''),
  emailVerified: z.boolean().default(false),
  enabled: z.boolean(),
});
export type RealmUser = z.infer<typeof RealmUser>;

const Credential = z.object({
  id: z.string(),
  type: z.string(),
  // One whose age nobody knows counts as made just now.
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

interface SendOptions {
  readonly deadline?: number;
  readonly body?: object;
  /** Whether the caller knows what to do about a conflict. */
  readonly taken?: boolean;
  readonly again?: boolean;
}

/** The admin API of the realm, as the service account of this service's client. */
@Injectable()
export class KeycloakClient {
  readonly #config: IdentityConfig;
  #token: { readonly value: string; readonly staleAt: number } | undefined;

  constructor(config: IdentityConfig) {
    this.#config = config;
  }

  userEvents(types: readonly string[], page: EventPage): Promise<UserEvent[]> {
    return this.#get(`/events?${query(page, { type: types })}`, z.array(UserEvent));
  }

  adminEvents(resourceTypes: readonly string[], page: EventPage): Promise<AdminEvent[]> {
    return this.#get(`/admin-events?${query(page, { resourceTypes })}`, z.array(AdminEvent));
  }

  /** The user, or null when there is none. */
  findUser(uid: string): Promise<RealmUser | null> {
    return this.#find(`/users/${encodeURIComponent(uid)}`, RealmUser);
  }

  async sessionsOf(uid: string): Promise<UserSession[]> {
    return (await this.#find(`/users/${encodeURIComponent(uid)}/sessions`, z.array(UserSession))) ?? [];
  }

  /** Ends a session. One that is over already is no error. */
  async endSession(sid: string): Promise<void> {
    await this.#do('DELETE', `/sessions/${encodeURIComponent(sid)}`);
  }

  async endSessionsOf(uid: string): Promise<void> {
    await this.#do('POST', `/users/${encodeURIComponent(uid)}/logout`);
  }

  async findByEmail(email: string): Promise<RealmUser | undefined> {
    const sought = new URLSearchParams({ email, exact: 'true' });
    const [user] = await this.#get(`/users?${sought}`, z.array(RealmUser));
    return user;
  }

  /** @throws EmailTaken */
  async setProvedEmail(uid: string, email: string): Promise<void> {
    await this.#update(uid, { email, emailVerified: true });
  }

  /** Forgets an address that somebody asked to change to and has not proved. */
  async forgetAskedEmail(uid: string): Promise<void> {
    const user = await this.#get(`/users/${encodeURIComponent(uid)}`, AskedChange);
    const requiredActions = user.requiredActions.filter((action) => action !== 'UPDATE_EMAIL');
    if (!(askedEmail in user.attributes) && requiredActions.length === user.requiredActions.length) return;
    // Keycloak keeps it when it is left out, and when its list is empty.
    const attributes = { ...user.attributes, [askedEmail]: [''] };
    await this.#update(uid, { ...user, attributes, requiredActions });
  }

  /** Leaves an account without an address that mail could reach; whose it is can name another one. */
  async takeEmailFrom(uid: string): Promise<void> {
    await this.#update(uid, { email: `${uid}@unproved.invalid`, emailVerified: false });
  }

  async credentialsOf(uid: string): Promise<Credential[]> {
    return (await this.#find(`/users/${encodeURIComponent(uid)}/credentials`, z.array(Credential))) ?? [];
  }

  /** Removes a way to log in. One that is gone already is no error. */
  async removeCredential(uid: string, id: string): Promise<void> {
    await this.#do('DELETE', `/users/${encodeURIComponent(uid)}/credentials/${encodeURIComponent(id)}`);
  }

  /** Has Keycloak mail the link for a new password, good for ten minutes. */
  async sendReset(uid: string): Promise<void> {
    const path = `/users/${encodeURIComponent(uid)}/execute-actions-email?client_id=web&lifespan=600`;
    const response = await this.#send('PUT', path, { deadline: mailDeadlineMs, body: ['UPDATE_PASSWORD'] });
    await response.body?.cancel();
    if (!response.ok) throw new KeycloakUnavailable(`Keycloak has no ${pathOf(path)}`);
  }

  async #update(uid: string, changes: object): Promise<void> {
    const response = await this.#send('PUT', `/users/${encodeURIComponent(uid)}`, {
      body: changes,
      taken: true,
    });
    await response.body?.cancel();
    if (response.status === 409) throw new EmailTaken('Another account has this address.');
  }

  async #do(method: string, path: string): Promise<void> {
    const response = await this.#send(method, path);
    await response.body?.cancel();
  }

  /** Has Keycloak mail the link that proves the user's address, good for a day. */
  async sendProof(uid: string): Promise<void> {
    const path = `/users/${encodeURIComponent(uid)}/send-verify-email`;
    const response = await this.#send('PUT', `${path}?client_id=web&lifespan=86400`, {
      deadline: mailDeadlineMs,
    });
    await response.body?.cancel();
    if (!response.ok) throw new KeycloakUnavailable(`Keycloak has no ${pathOf(path)}`);
  }

  async #get<S extends z.ZodType>(path: string, schema: S): Promise<z.infer<S>> {
    const found = await this.#find(path, schema);
    if (found === null) throw new KeycloakUnavailable(`Keycloak has no ${pathOf(path)}`);
    return found;
  }

  async #find<S extends z.ZodType>(path: string, schema: S): Promise<z.infer<S> | null> {
    const response = await this.#send('GET', path);
    if (response.status === 404) {
      await response.body?.cancel();
      return null;
    }
    const parsed = schema.safeParse(await response.json().catch(() => undefined));
    if (!parsed.success)
      throw new KeycloakUnavailable(`Keycloak answered ${pathOf(path)} with something else`);
    return parsed.data;
  }

  /** Answers 2xx and 404, and 409 where that is asked for; everything else is an error. A token that is refused is replaced once. */
  async #send(
    method: string,
    path: string,
    { deadline = deadlineMs, body, taken, again = true }: SendOptions = {},
  ): Promise<Response> {
    const url = `${this.#base}/admin/realms/${this.#config.KEYCLOAK_REALM}${path}`;
    const headers = {
      authorization: `Bearer ${await this.#accessToken()}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const response = await reach(
      url,
      { method, headers, ...(body && { body: JSON.stringify(body) }) },
      deadline,
    );
    if (response.ok || response.status === 404 || (taken && response.status === 409)) return response;
    await response.body?.cancel();
    if (response.status === 401 && again) {
      this.#token = undefined;
      return this.#send(method, path, {
        deadline,
        ...(body && { body }),
        ...(taken && { taken }),
        again: false,
      });
    }
    throw new KeycloakUnavailable(`Keycloak answered ${method} ${pathOf(path)} with ${response.status}`);
  }

  async #accessToken(): Promise<string> {
    if (this.#token && Date.now() < this.#token.staleAt) return this.#token.value;
    const { KEYCLOAK_REALM, KEYCLOAK_CLIENT_ID, KEYCLOAK_CLIENT_SECRET } = this.#config;
    const response = await reach(`${this.#base}/realms/${KEYCLOAK_REALM}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: KEYCLOAK_CLIENT_ID,
        client_secret: KEYCLOAK_CLIENT_SECRET,
      }),
    });
    const token = Token.safeParse(await response.json().catch(() => undefined));
    if (!token.success) throw new KeycloakUnavailable(`Keycloak gave no token: status ${response.status}`);
    const { access_token: value, expires_in: seconds } = token.data;
    this.#token = { value, staleAt: Date.now() + seconds * 1000 - marginMs };
    return value;
  }

  get #base(): string {
    return this.#config.KEYCLOAK_URL.replace(/\/+$/, '');
  }
}

async function reach(url: string, request: RequestInit, deadline = deadlineMs): Promise<Response> {
  try {
    return await fetch(url, { ...request, redirect: 'error', signal: AbortSignal.timeout(deadline) });
  } catch (error) {
    throw new KeycloakUnavailable(`Keycloak did not answer: ${reasonOf(error)}`, { cause: error });
  }
}

// fetch says only that it failed; why stands in the cause.
const reasonOf = (error: unknown) =>
  error instanceof Error ? String(error.cause ?? error.message) : String(error);

// What an error says may be logged: a path names an account, its kind does not.
const pathOf = (path: string) => path.replace(/\?.*/, '').replace(/[\w-]{16,}/g, '…');

function query({ from, first, max }: EventPage, lists: Readonly<Record<string, readonly string[]>>): string {
  const parameters = new URLSearchParams({
    dateFrom: String(from),
    direction: 'asc',
    first: String(first),
    max: String(max),
  });
  for (const [name, values] of Object.entries(lists)) {
    for (const value of values) parameters.append(name, value);
  }
  return parameters.toString();
}
