import type { Page } from '@playwright/test';
import type { MadeCreator } from './creators.ts';
import { theSystem } from './system.ts';

/** Ends the creator's sessions at Keycloak, as its administrator may, and lets the page's token run out. */
export async function expireSession(page: Page, { uid }: MadeCreator): Promise<void> {
  const { url, realm, adminUser: username, adminPassword: password } = theSystem().keycloak;
  const login = { grant_type: 'password', client_id: 'admin-cli', username, password };
  const { access_token: token } = (await post(
    `${url}/realms/master/protocol/openid-connect/token`,
    new URLSearchParams(login),
  ).then((response) => response.json())) as { access_token: string };
  await post(`${url}/admin/realms/${realm}/users/${uid}/logout`, undefined, token);
  await page.clock.fastForward('01:00:00');
}

async function post(url: string, body?: URLSearchParams, token?: string): Promise<Response> {
  const headers = token ? { authorization: `Bearer ${token}` } : undefined;
  const response = await fetch(url, { method: 'POST', body, headers, signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new Error(`Keycloak refused ${url}: ${response.status} ${await response.text()}`);
  return response;
}
