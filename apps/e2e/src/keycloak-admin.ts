import { expect } from '@playwright/test';
import type { Creator } from '@stoa/contracts';
import { type AdminApi, connect } from '@stoa/realm';
import { ask } from './api.ts';
import { theSystem } from './system.ts';

interface User {
  id: string;
  requiredActions?: string[];
}

interface RequiredAction {
  alias: string;
  enabled: boolean;
}

let connected: Promise<AdminApi> | undefined;

const admin = () => (connected ??= connect(theSystem().keycloak));
const realm = () => `/${theSystem().keycloak.realm}`;

/** Asks something of a user at their next sign-in. */
export async function askOf(uid: string, ...requiredActions: string[]): Promise<void> {
  const api = await admin();
  const user = await api.get<User>(`${realm()}/users/${uid}`);
  await api.put(`${realm()}/users/${uid}`, { ...user, requiredActions });
}

/** Keycloak ships some actions switched off. Switching one on asks it of nobody. */
export async function allowAction(alias: string): Promise<void> {
  const api = await admin();
  const path = `${realm()}/authentication/required-actions/${alias}`;
  const action = await api.get<RequiredAction>(path);
  if (!action.enabled) await api.put(path, { ...action, enabled: true });
}

interface Execution {
  providerId?: string;
  requirement: string;
}

/** Lets those who have such a second factor log in with it; nobody else notices. */
export async function allowFactor(providerId: string): Promise<void> {
  const api = await admin();
  const path = `${realm()}/authentication/flows/browser/executions`;
  const executions = await api.get<Execution[]>(path);
  const factor = executions.find((execution) => execution.providerId === providerId);
  if (!factor) throw new Error(`The flow browser has no step ${providerId}.`);
  if (factor.requirement === 'DISABLED') await api.put(path, { ...factor, requirement: 'ALTERNATIVE' });
}

/** Removes an account behind the product's back, as an operator could in Keycloak's console. */
export async function deleteAccount(uid: string): Promise<void> {
  await (await admin()).delete(`${realm()}/users/${uid}`);
}

/** Lets an account sign in no more. */
export async function disableAccount(uid: string): Promise<void> {
  await (await admin()).put(`${realm()}/users/${uid}`, { enabled: false });
}

/** Ends every session of an account. */
export async function endSessionsOf(uid: string): Promise<void> {
  await (await admin()).post(`${realm()}/users/${uid}/logout`, {});
}

interface RealmSwitches {
  registrationAllowed?: boolean;
  resetPasswordAllowed?: boolean;
}

/** Turns something of the whole realm off or on. */
export async function changeRealm(switches: RealmSwitches): Promise<void> {
  await (await admin()).put(realm(), switches);
}

/** Proves the address of an account as the link in its mail would, and waits until its record knows. */
export async function proveAddress({ uid, token }: { uid: string; token: string }): Promise<void> {
  const api = await admin();
  const user = await api.get<User>(`${realm()}/users/${uid}`);
  await api.put(`${realm()}/users/${uid}`, { ...user, emailVerified: true });
  const knows = async () => (await ask<Creator>('GET', '/api/me', { token })).emailVerified;
  await expect.poll(knows, { timeout: 30_000 }).toBe(true);
}
