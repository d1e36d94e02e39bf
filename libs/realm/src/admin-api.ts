import { setTimeout as sleep } from 'node:timers/promises';
import { adminToken, type Credentials, setUpClient } from './admin-token.ts';
import type { RealmSettings } from './settings.ts';

export interface AdminApi {
  get<T>(path: string): Promise<T>;
  /** Undefined when there is no such thing. */
  find<T>(path: string): Promise<T | undefined>;
  post(path: string, body: object): Promise<void>;
  put(path: string, body?: object): Promise<void>;
  delete(path: string, body?: object): Promise<void>;
}

/** Keycloak understood a request and will not do it. */
export class AdminRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const RETRY_MS = 500;
const REQUEST_TIMEOUT_MS = 30_000;
// The master realm's tokens live for one minute; a first sync on a slow machine takes longer.
const TOKEN_REUSE_MS = 20_000;

/** The admin API as the client of set-up, or as somebody else, as soon as Keycloak answers. */
export async function connect(
  settings: Pick<RealmSettings, 'url' | 'setUpSecret' | 'timeoutMs'>,
  log: (line: string) => void = () => {},
  credentials: Credentials = setUpClient(settings),
): Promise<AdminApi> {
  const url = settings.url.replace(/\/+$/, '');
  await waitUntilReachable(url, settings.timeoutMs ?? 120_000, log);

  let token = '';
  let expires = 0;
  const send = async (method: string, path: string, body?: object): Promise<Response> => {
    if (Date.now() > expires) {
      const asked = Date.now();
      token = await adminToken(url, credentials);
      expires = asked + TOKEN_REUSE_MS;
    }
    return fetch(`${url}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
  };

  const expectOk = async (method: string, path: string, body?: object): Promise<Response> => {
    const response = await send(method, path, body);
    if (response.ok) return response;
    throw new AdminRefusal(
      response.status,
      `Keycloak refused ${method} /admin/realms${path}: ${response.status} ${await response.text()}.`,
    );
  };

  return {
    get: async <T>(path: string) => (await (await expectOk('GET', path)).json()) as T,
    find: async <T>(path: string) => {
      const response = await send('GET', path);
      if (response.status === 404) return undefined;
      if (!response.ok) throw new Error(`Keycloak refused GET ${path}: ${response.status}`);
      return (await response.json()) as T;
    },
    post: async (path, body) => void (await expectOk('POST', path, body)),
    put: async (path, body) => void (await expectOk('PUT', path, body)),
    delete: async (path, body) => void (await expectOk('DELETE', path, body)),
  };
}

async function waitUntilReachable(url: string, timeoutMs: number, log: (line: string) => void) {
  const deadline = Date.now() + timeoutMs;
  let reason = '';
  while (Date.now() < deadline) {
    try {
      const response = await fetch(`${url}/realms/master`, { signal: AbortSignal.timeout(5000) });
      if (response.ok) return;
      reason = `status ${response.status}`;
    } catch (error) {
      reason = error instanceof Error ? String(error.cause ?? error.message) : String(error);
    }
    log(`waiting for Keycloak at ${url} (${reason})`);
    await sleep(RETRY_MS);
  }
  throw new Error(
    `Keycloak did not answer at ${url} within ${timeoutMs / 1000} s (${reason}). Is it running, and is the URL right?`,
  );
}
