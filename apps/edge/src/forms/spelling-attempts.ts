import { request as send, type Dispatcher } from 'undici';
import { tagsOf } from './page-tags.ts';
import { writeForm } from '../proxy/read-form.ts';

/** The last response of Keycloak, with the cookies of all attempts. */
export interface AttemptResult {
  readonly status: number;
  readonly location: string | undefined;
  /** The page; empty if the response is a redirect. */
  readonly html: string;
  readonly setCookies: readonly string[];
}

export interface AttemptOptions {
  readonly upstream: string;
  readonly agent: Dispatcher;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly cookie: string | undefined;
  readonly isSuccess: (location: string | undefined) => boolean;
}

/**
 * Posts the log-in form with each spelling of its password until one succeeds. Each attempt uses the form in the answer to
 * the previous one, as a browser does.
 */
export async function trySpellings(
  path: string,
  forms: readonly URLSearchParams[],
  { upstream, agent, headers, cookie, isSuccess }: AttemptOptions,
): Promise<AttemptResult> {
  const jar = new Map((cookie ?? '').split('; ').flatMap((pair) => (pair ? [splitPair(pair)] : [])));
  const set = new Map<string, string>();
  const ask = async (url: string, body?: string) => {
    const answer = await send(new URL(url, upstream), {
      dispatcher: agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...headers,
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body !== undefined && { body }),
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [name, value] = splitPair(line.split(';')[0] ?? '');
      jar.set(name, value);
      set.set(name, line);
    }
    const { location } = answer.headers;
    return { status: answer.statusCode, location: [location].flat()[0], html: await answer.body.text() };
  };
  let form = path;
  for (const [index, fields] of forms.entries()) {
    const { status, location, html } = await ask(form, writeForm(fields));
    const next =
      isSuccess(location) || index === forms.length - 1 ? undefined : await nextForm(location, html, ask);
    if (next === undefined) return { status, location, html, setCookies: [...set.values()] };
    form = next;
  }
  throw new Error('A log-in form without a password was to be tried.');
}

async function nextForm(
  location: string | undefined,
  html: string,
  ask: (url: string) => Promise<{ html: string }>,
): Promise<string | undefined> {
  const page = location === undefined ? html : (await ask(pathOf(location))).html;
  const form = tagsOf(page).find(({ attributes }) => attributes.get('id') === 'kc-form-login');
  const action = form?.attributes.get('action');
  return action && pathOf(action);
}

// Removes the host: the links contain the public address of this proxy, but log-in attempts go to Keycloak directly.
function pathOf(address: string): string {
  const { pathname, search } = new URL(address, 'http://keycloak.invalid');
  return pathname + search;
}

function splitPair(pair: string): [name: string, value: string] {
  const [name = '', value = ''] = pair.trim().split(/=(.*)/s);
  return [name, value];
}
