import { type Browser, expect, type Page, test } from '@playwright/test';
import { connect, syncRealm } from '@stoa/realm';
import { certificateOf, freePorts, inRepository, makeCertificates } from '@stoa/system';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newAccount } from '../src/creators.ts';
import { type Replica, startReplica } from '../src/replica.ts';
import { logIn, register } from '../src/sign-in.ts';
import { theSystem } from '../src/system.ts';

// The system of the tests uses plain HTTP. This file adds what production has: a proxy that terminates TLS, an edge behind
// it, and a realm with an HTTPS address in the same Keycloak.
const realm = `tls-${process.pid}`;
const folder = mkdtempSync(join(tmpdir(), 'stoa-tls-'));
const account = newAccount();
let edge: Replica | undefined;
let ingress: Server | undefined;
let origin: string;

test.describe.configure({ mode: 'serial', timeout: 120_000 });

test.beforeAll(async () => {
  const ports = await freePorts();
  origin = `https://localhost:${ports.site}`;
  await makeRealm();
  edge = await startReplica('edge', ports.health, {
    SIGN_IN_PORT: String(ports.keycloak),
    MEDIA_PORT: String(ports.minio),
    KEYCLOAK_URL: origin,
    SITE_URL: origin,
    KEYCLOAK_REALM: realm,
  });
  const { certificate, key } = certificateOf(await makeCertificates(folder), 'keycloak');
  const proof = { cert: readFileSync(certificate), key: readFileSync(key) };
  ingress = createServer(proof, (incoming, answer) => {
    const { method, url: path, headers } = incoming;
    const asked = request({ host: '127.0.0.1', port: ports.keycloak, method, path, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    incoming.pipe(asked.once('error', () => answer.destroy()));
  });
  await new Promise<void>((listening) => ingress?.listen(ports.site, '127.0.0.1', listening));
});

test.afterAll(async () => {
  ingress?.closeAllConnections();
  ingress?.close();
  await edge?.stop();
  await (await connect(theSystem().keycloak)).realms.del({ realm });
  rmSync(folder, { recursive: true });
});

async function makeRealm(): Promise<void> {
  const { keycloak, mail } = theSystem();
  for (const name of ['realm.json', 'master.json', 'user-profile.json']) {
    const text = readFileSync(inRepository('deploy/keycloak', name), 'utf8');
    writeFileSync(join(folder, name), text.replace('"realm": "stoa"', `"realm": "${realm}"`));
  }
  const smtp = { host: mail.host, port: mail.smtpPort, from: mail.from };
  await syncRealm({ ...keycloak, siteUrl: origin, smtp, definitions: folder });
  const admin = await connect(keycloak);
  const made = await admin.realms.findOne({ realm });
  const attributes = { ...made?.attributes, frontendUrl: origin };
  await admin.realms.update({ realm }, { ...made, attributes });
}

const signInUrl = (endpoint: string) =>
  `${origin}/realms/${realm}/protocol/openid-connect/${endpoint}?${new URLSearchParams({
    client_id: 'web',
    redirect_uri: `${origin}/auth/callback`,
    response_type: 'code',
    scope: 'openid',
    // A constant suffices as PKCE challenge, because this test never exchanges a code for tokens.
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })}`;

const aPage = async (browser: Browser): Promise<Page> =>
  (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
const isSignedIn = (page: Page) => expect(page).toHaveURL(/\/auth\/callback\?.*code=/);

test('all cookies of the sign-in pages have the __Host- prefix', async ({ browser }) => {
  const page = await aPage(browser);
  await page.goto(signInUrl('registrations'));
  await register(page, account);
  await isSignedIn(page);
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['__Host-AUTH_SESSION_ID', '__Host-KEYCLOAK_IDENTITY', '__Host-KEYCLOAK_SESSION']),
  );
  for (const { name, domain, path, secure } of cookies)
    expect([name, domain, path, secure]).toEqual([expect.stringMatching(/^__Host-/), 'localhost', '/', true]);
  await page.context().close();
});

test('signing in or out in one tab does the same in the other', async ({ browser }) => {
  const page = await aPage(browser);
  const other = await page.context().newPage();
  await other.goto(signInUrl('auth'));
  await page.goto(signInUrl('auth'));
  await logIn(page, account);
  await isSignedIn(page);
  // The other tab logs in without a click, because Keycloak's script notices the new session cookie.
  await isSignedIn(other);
  await other.goto(signInUrl('auth'));
  await isSignedIn(other);

  await page.goto(signInUrl('logout'));
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Log Out' }).click();
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Log In' }),
  ).toBeVisible();
  await other.goto(signInUrl('auth'));
  await expect(other.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await page.context().close();
});

test('cookies without the __Host- prefix open no session', async ({ browser }) => {
  const page = await aPage(browser);
  await page.goto(signInUrl('auth'));
  await logIn(page, account);
  await isSignedIn(page);
  const planted = (await page.context().cookies()).map(({ name, value }) => ({
    name: name.replace('__Host-', ''),
    value,
    url: origin,
  }));
  const victim = await aPage(browser);
  await victim.context().addCookies(planted);
  await victim.goto(signInUrl('auth'));
  await expect(victim.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await Promise.all([page, victim].map((one) => one.context().close()));
});
