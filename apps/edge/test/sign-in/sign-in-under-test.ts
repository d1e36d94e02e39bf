import type { Bus } from '@stoa/messaging';
import type { FastifyInstance } from 'fastify';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { EmailChangeCookies } from '../../src/forms/email-change.ts';
import { LogInSteps } from '../../src/forms/log-in-step.ts';
import { PasswordChanges } from '../../src/accounts/password-changes.ts';
import { SignInProxy } from '../../src/sign-in/sign-in.proxy.ts';
import { ReservedUsernames } from '../../src/accounts/reserved-usernames.ts';
import { SignInLimits } from '../../src/sign-in/sign-in-limits.ts';
import { accounts, configuration, deviceKey, listen, site } from '../proxies-under-test.ts';

// A server that records requests instead of Keycloak. The files `keycloak-*.spec.ts` use a real Keycloak.
interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}
export const seen: Seen[] = [];
export const rightPassword = 'columns and porticos';
const upstream = createServer((request, response) => {
  void text(request).then((body) => {
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body });
    response.setHeader('set-cookie', ['KC=1; Path=/realms/stoa/', 'AUTH=2; Path=/realms/stoa/; HttpOnly']);
    response.setHeader('access-control-allow-origin', headers.origin ?? 'none');
    response.setHeader('server', 'upstream');
    const form = new URLSearchParams(body);
    if (form.get('grant_type') === 'authorization_code') {
      const name = form.get('code');
      const claims = { preferred_username: name, email: `${name}@Stoa.test`, email_verified: name !== 'eve' };
      const token = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
      return response.end(JSON.stringify({ access_token: token }));
    }
    if (form.has('cancel'))
      response.writeHead(302, { location: `${site}/auth/callback#error=access_denied` });
    else if (form.get('password') === rightPassword)
      response.writeHead(302, { location: `${site}/auth/callback#code=x` });
    else response.writeHead(200, { 'content-type': 'text/html' });
    response.end('a page');
  });
});

export const base = '/realms/stoa';
/** The address of a form after the proxy has added its mark. */
const marked = (address: string, fields = '') =>
  (
    /action="([^"]*)"/.exec(new LogInSteps(deviceKey).mark(`<form action="${address}">${fields}`))?.[1] ?? ''
  ).replaceAll('&amp;', '&');
/** Address of a log-in form on which the visitor types the name, with its mark. */
export const logInPath = marked(
  `${base}/login-actions/authenticate?session_code=a&amp;tab_id=b`,
  '<input name="username">',
);
/**
 * Address of the form for a new email address, signed as the proxy signs it. `emailCookie` permits the change of the address.
 */
export const emailPath = marked(
  `${base}/login-actions/required-action?session_code=a&amp;execution=UPDATE_EMAIL&amp;tab_id=b`,
);
export const [emailCookie = ''] =
  new EmailChangeCookies(deviceKey, new URL(accounts)).issue('<form action="?tab_id=b">')?.split(';') ?? [];
export const tokenPath = `${base}/protocol/openid-connect/token`;
export const resetPath = `${base}/login-actions/reset-credentials`;
const open: FastifyInstance[] = [];
/** With `forgotten`, it behaves like a process that has never connected to NATS. */
class ForgetfulPasswordChanges extends PasswordChanges {
  forgotten = false;
  override get isCaughtUp(): boolean {
    return !this.forgotten;
  }
}
export const passwords = new ForgetfulPasswordChanges();

/** With `forgotten`, it behaves like a process that has never connected to NATS. */
class ForgetfulReservations extends ReservedUsernames {
  forgotten = false;
  override get isCaughtUp(): boolean {
    return !this.forgotten;
  }
}
export const reserved = new ForgetfulReservations();

export async function startSignInProxy(changes: Record<string, string> = {}): Promise<string> {
  const { port } = upstream.address() as AddressInfo;
  const config = configuration({
    KEYCLOAK_INTERNAL_URL: `http://127.0.0.1:${port}`,
    TRUST_PROXY: '1',
    ANSWER_STEP_MS: '1',
    ...changes,
  });
  const proxy = await new SignInProxy(
    config,
    new SignInLimits(config, {} as Bus),
    passwords,
    reserved,
  ).build();
  open.push(proxy);
  return listen(proxy);
}

let visitors = 0;
export const visitor = () => `203.0.${Math.floor((visitors += 1) / 250)}.${visitors % 250}`;

export function post(
  url: string,
  fields: Record<string, string>,
  { cookie = '', from = visitor() } = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
    headers: { 'x-forwarded-for': from, accept: 'text/html', ...(cookie && { cookie }) },
  });
}

export const startUpstream = () => new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));

export async function closeAll(): Promise<void> {
  await Promise.all(open.map((one) => one.close()));
  upstream.close();
}
