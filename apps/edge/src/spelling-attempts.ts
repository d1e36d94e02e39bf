import { request as send, type Dispatcher } from 'undici';
import { unescaped } from './log-in-step.ts';
import { writeForm } from './read-form.ts';

/** An answer of Keycloak, with every cookie that was set on the way to it. */
export interface Attempted {
  readonly status: number;
  readonly location: string | undefined;
  /** The page that it shows, where it leads nowhere else. */
  readonly html: string;
  readonly setCookies: readonly string[];
}

export interface Attempts {
  readonly upstream: string;
  readonly agent: Dispatcher;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly cookie: string | undefined;
  readonly leadsOn: (location: string | undefined) => boolean;
}

/**
 * Posts a log-in form with one spelling of its password after the other, until one is right: as one person does who types
 * it anew. Keycloak makes a page between two tries, whose form the next one is.
 */
export async function attemptEach(
  path: string,
  forms: readonly URLSearchParams[],
  { upstream, agent, headers, cookie, leadsOn }: Attempts,
): Promise<Attempted> {
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
      leadsOn(location) || index === forms.length - 1 ? undefined : await nextForm(location, html, ask);
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
  const action = /<form[^>]*\sid="kc-form-login"[^>]*\saction="([^"]+)"/.exec(page)?.[1];
  return action && pathOf(unescaped(action));
}

// Keycloak names its public address, which is this proxy's.
function pathOf(address: string): string {
  const { pathname, search } = new URL(address, 'http://keycloak.invalid');
  return pathname + search;
}

function splitPair(pair: string): [name: string, value: string] {
  const [name = '', value = ''] = pair.trim().split(/=(.*)/s);
  return [name, value];
}
