import { Agent, request as send } from 'node:http';

/** The users of a route, and the status for a signed-in user who requests another user's data. */
export interface Access {
  readonly who: 'creator' | 'key' | 'public' | 'operator';
  readonly stranger?: 403 | 404;
}

/** The users of each API route. The tests of all routes fail for a route that is missing here. */
export const apiAccess: Record<string, Access> = {
  'POST /api/session': { who: 'creator' },
  'GET /api/account/sessions': { who: 'creator' },
  'DELETE /api/account/sessions/{id}': { who: 'creator', stranger: 404 },
  'GET /api/account/second-factors': { who: 'creator' },
  'POST /api/account/sign-out-everywhere': { who: 'creator' },
  'POST /api/account/deletion': { who: 'creator' },
  'GET /api/account/export': { who: 'creator' },
  'POST /api/account/export': { who: 'creator' },
  'GET /api/me': { who: 'creator' },
  'PUT /api/me/profile': { who: 'creator' },
  'GET /api/me/offerings': { who: 'creator' },
  'PUT /api/me/offerings/order': { who: 'creator' },
  'GET /api/me/held-messages': { who: 'creator' },
  'GET /api/me/numbers': { who: 'creator' },
  'GET /api/me/numbers.csv': { who: 'creator' },
  'POST /api/me/proof-mails': { who: 'creator' },
  'GET /api/me/link-changes': { who: 'creator' },
  'GET /api/me/link-health': { who: 'creator' },
  'POST /api/me/link-health/{id}/looks': { who: 'creator', stranger: 404 },
  'POST /api/offerings': { who: 'creator' },
  'GET /api/offerings/{id}': { who: 'creator', stranger: 403 },
  'PUT /api/offerings/{id}': { who: 'creator', stranger: 403 },
  'DELETE /api/offerings/{id}': { who: 'creator', stranger: 403 },
  'POST /api/offerings/{id}/duplicates': { who: 'creator', stranger: 403 },
  'POST /api/offerings/{id}/delivery-key': { who: 'creator', stranger: 403 },
  'POST /api/sales': { who: 'creator' },
  'GET /api/sales': { who: 'creator' },
  'POST /api/sales/{id}/closing': { who: 'creator', stranger: 404 },
  'POST /api/sales/{id}/key': { who: 'creator', stranger: 404 },
  'POST /api/uploads': { who: 'creator' },
  'GET /api/me/room': { who: 'creator' },
  'GET /api/uploads/{id}/preview': { who: 'creator', stranger: 404 },
  'DELETE /api/uploads/{id}': { who: 'creator', stranger: 404 },
  'POST /api/uploads/{id}/complete': { who: 'creator', stranger: 404 },
  'POST /api/uploads/{id}/complete-file': { who: 'creator', stranger: 404 },
  'GET /api/downloads/{creatorId}/{offeringId}': { who: 'key' },
  'GET /api/downloads/{creatorId}/{offeringId}/seller': { who: 'public' },
  'GET /api/showcase': { who: 'public' },
  'GET /api/creators': { who: 'public' },
  'GET /api/creators/{username}': { who: 'public' },
  'GET /api/creators/{username}/card.jpg': { who: 'public' },
  'GET /api/creators/{username}/offerings': { who: 'public' },
  'GET /api/creators/{username}/offerings/{slug}': { who: 'public' },
  'GET /api/creators/{username}/offerings/{slug}/card.jpg': { who: 'public' },
  'POST /api/creators/{username}/messages': { who: 'public' },
  'POST /api/contact-messages': { who: 'public' },
  'POST /api/account-changes/undo': { who: 'public' },
  'POST /api/link-changes/undo': { who: 'public' },
  'POST /api/visits': { who: 'public' },
  'GET /api/me/takedowns': { who: 'creator' },
  'POST /api/me/takedowns/{id}/appeal': { who: 'creator', stranger: 404 },
  'POST /api/reports': { who: 'public' },
  'GET /api/review/cases': { who: 'operator', stranger: 403 },
  'POST /api/review/cases/{id}/decisions': { who: 'operator', stranger: 403 },
  'GET /api/usernames/{username}': { who: 'public' },
  'GET /api/config': { who: 'public' },
};

export interface ApiRoute extends Access {
  readonly method: string;
  readonly path: string;
}

export const apiRoutes: readonly ApiRoute[] = Object.entries(apiAccess).map(([route, access]) => {
  const [method = '', path = ''] = route.split(' ');
  return { method, path, ...access };
});

export const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'QUERY',
  'TRACE',
  'PROPFIND',
];

/** Variants of a path that some servers or proxies treat as equal. */
export const pathSpellings: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => path.replace('/api/', '/api//'),
  (path) => path.replace('/api/', '/api/./'),
  (path) => path.replace('/api/', '/api/x/../'),
  (path) => path.replace('/api/', '/x/../api/'),
  (path) => path.replace('/api/', '/%2e%2e/api/'),
  (path) => path.replace('/api/', '/%61pi/'),
  (path) => path.replace('/api/', '/api%2f'),
  (path) => path.replace('/api/', '/api%5c'),
  (path) => path.replace('/api/', '/api\\'),
  (path) => path.replace('/api/', '/;/api/'),
  (path) => path.replace('/api/', '/api;x=1/'),
  (path) => path.replace('/api/', '/about/..;/api/'),
  (path) => path.toUpperCase(),
  (path) => `${path};x=1`,
  (path) => `${path}.json`,
  (path) => `${path}%00`,
  (path) => `${path}%20`,
  (path) => `${path}%0a`,
  (path) => `${path}%2f`,
  (path) => `${path}/.`,
  (path) => `${path}/%2e`,
  (path) => `${path}?_method=GET`,
  (path) => `${path}#x`,
  (path) => `http://localhost${path}`,
];

export interface Credential {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The query string, for a credential that is sent there. */
  readonly query?: string;
}

export interface Attempt {
  readonly method: string;
  /** The exact path that is sent, without normalization by the client. */
  readonly path: string;
  readonly credential: Credential;
  readonly body?: object;
}

export interface AttemptResult {
  readonly method: string;
  readonly path: string;
  readonly with: string;
  readonly status: number;
}

/** Sends requests, 16 concurrently, and returns their statuses. It calls `headers` for each request. */
export async function attempt(
  origin: string,
  attempts: readonly Attempt[],
  headers: () => Record<string, string> = () => ({}),
): Promise<AttemptResult[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const left = attempts.values();
  const results: AttemptResult[] = [];
  const worker = async () => {
    for (const { method, path, credential, body } of left) {
      const whole = credential.query ? `${path}?${credential.query}` : path;
      const status = await statusOf(new URL(origin), agent, {
        method,
        path: whole,
        headers: { ...headers(), ...credential.headers },
        body: body && JSON.stringify(body),
      });
      results.push({ method, path: whole, with: credential.name, status });
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  agent.destroy();
  return results;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
}

function statusOf({ hostname, port }: URL, agent: Agent, { body, ...request }: Sent): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const about = body === undefined ? {} : { 'content-type': 'application/json' };
  const ask = send({ agent, hostname, port, ...request, headers: { ...about, ...request.headers } });
  ask.on('response', (response) => {
    response.resume().on('end', () => resolve(response.statusCode ?? 0));
  });
  ask.on('error', reject);
  ask.end(body);
  return promise;
}
