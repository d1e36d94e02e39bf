// Measures whether answer times reveal which accounts exist: `stoa with-system npm run answer-times -w
// @stoa/reports`.
import { randomUUID } from 'node:crypto';
import { randomIpAddress } from '@stoa/e2e/api';
import { newAccount, makeAccount } from '@stoa/e2e/creators';
import { realmUrl, theSystem } from '@stoa/e2e/system';
import { median, separation } from './separation.ts';

const triesOfEach = 200;
/**
 * Attempts for one account: fewer than the proxy's limit, beyond which the proxy would answer instead of
 * Keycloak.
 */
const triesAtOne = 3;

const redirectUri = `${theSystem().siteUrl}/auth/callback`;
const pages = {
  reset: `${realmUrl()}/login-actions/reset-credentials?client_id=web&redirect_uri=${encodeURIComponent(redirectUri)}`,
  'log-in': `${realmUrl()}/protocol/openid-connect/auth?${new URLSearchParams({
    client_id: 'web',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })}`,
};

/**
 * Opens a page of Keycloak in a new browser and submits its form. Returns the milliseconds until the answer.
 */
async function timeOf(kind: keyof typeof pages, username: string): Promise<number> {
  const headers = { 'x-forwarded-for': randomIpAddress(), accept: 'text/html' };
  const cookies = new Map<string, string>();
  const get = async (url: string): Promise<string> => {
    const answer = await fetch(url, { redirect: 'manual', headers: { ...headers, cookie: sent(cookies) } });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    return location ? get(new URL(location, url).href) : answer.text();
  };
  const action = /<form[^>]* action="([^"]+)"/.exec(await get(pages[kind]))?.[1]?.replaceAll('&amp;', '&');
  if (!action) throw new Error(`The page for ${kind} has no form.`);
  const body = new URLSearchParams({ username, ...(kind === 'log-in' && { password: 'not the one' }) });
  const begun = performance.now();
  const answer = await fetch(action, {
    method: 'POST',
    redirect: 'manual',
    body,
    headers: { ...headers, cookie: sent(cookies) },
  });
  await answer.text();
  if (answer.status === 429) throw new Error('The proxy answered instead of Keycloak.');
  return performance.now() - begun;
}

const sent = (cookies: ReadonlyMap<string, string>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

async function measure(kind: keyof typeof pages, emails: readonly string[]): Promise<void> {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let turn = 0; turn < triesOfEach; turn += 1) {
    const email = emails[turn % emails.length] ?? '';
    const stranger = `nomvula-${randomUUID().slice(0, 8)}@example.test`;
    const tries = [
      async () => known.push(await timeOf(kind, email)),
      async () => unknown.push(await timeOf(kind, stranger)),
    ];
    // The order alternates, so that neither kind has an advantage.
    for (const one of turn % 2 === 0 ? tries : tries.toReversed()) await one();
  }
  const percent = (separation(known, unknown) * 100).toFixed(1);
  const [ofKnown, ofUnknown] = [median(known), median(unknown)].map((ms) => ms.toFixed(1));
  console.log(
    `${kind}: ${triesOfEach} tries each, median ${ofKnown} ms known, ${ofUnknown} ms unknown; best threshold right in ${percent} %`,
  );
}

const accounts = Array.from({ length: Math.ceil(triesOfEach / triesAtOne) }, newAccount);
for (const account of accounts) await makeAccount(account);
const emails = accounts.map(({ email }) => email);
await Promise.all([measure('reset', emails), measure('log-in', emails)]);
