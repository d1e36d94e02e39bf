import { expect } from '@playwright/test';
import type { Creator } from '@stoa/contracts';
import { type AdminApi, connect, makeOperator } from '@stoa/realm';
import { fetchJson } from './api.ts';
import { theSystem } from './system.ts';

let connected: Promise<AdminApi> | undefined;

const admin = () => (connected ??= connect(theSystem().keycloak));
const theRealm = () => ({ realm: theSystem().keycloak.realm });
const theUser = (id: string) => ({ ...theRealm(), id });

export async function updateUser(uid: string, changes: object): Promise<void> {
  const { users } = await admin();
  await users.update(theUser(uid), { ...(await users.findOne(theUser(uid))), ...changes });
}

/** The user; undefined if Keycloak has none with this id. */
export async function findUser(uid: string): Promise<unknown> {
  return (await (await admin()).users.findOne(theUser(uid))) ?? undefined;
}

/** Gives an account the operator role, as an administrator does in Keycloak. */
export async function makeOperatorOf(uid: string): Promise<void> {
  await makeOperator(await admin(), theRealm().realm, uid);
}

/** Sets the actions that Keycloak requires when the user logs in next. */
export async function setRequiredActions(uid: string, ...requiredActions: string[]): Promise<void> {
  await updateUser(uid, { requiredActions });
}

/** Makes an action available that Keycloak switches off by default. No user has to take it because of that. */
export async function enableRequiredAction(alias: string): Promise<void> {
  const { authenticationManagement } = await admin();
  const address = { ...theRealm(), alias };
  const action = await authenticationManagement.getRequiredActionForAlias(address);
  if (!action.enabled)
    await authenticationManagement.updateRequiredAction(address, { ...action, enabled: true });
}

/** Makes Keycloak request a second factor from accounts that have one of this kind. Other accounts are not affected. */
export async function enableSecondFactor(providerId: string): Promise<void> {
  const { authenticationManagement } = await admin();
  const flow = { ...theRealm(), flow: 'browser' };
  const executions = await authenticationManagement.getExecutions(flow);
  const factor = executions.find((execution) => execution.providerId === providerId);
  if (!factor) throw new Error(`The flow browser has no step ${providerId}.`);
  if (factor.requirement === 'DISABLED')
    await authenticationManagement.updateExecution(flow, { ...factor, requirement: 'ALTERNATIVE' });
}

/** Deletes an account in Keycloak, as an administrator does. */
export async function deleteAccount(uid: string): Promise<void> {
  await (await admin()).users.del(theUser(uid));
}

/** Prevents log-ins to an account, as an administrator does. */
export async function disableAccount(uid: string): Promise<void> {
  await (await admin()).users.update(theUser(uid), { enabled: false });
}

export async function endSessionsOf(uid: string): Promise<void> {
  await (await admin()).users.logout(theUser(uid));
}

interface RealmSettings {
  registrationAllowed?: boolean;
  resetPasswordAllowed?: boolean;
}

/** Changes settings of the realm, for all accounts. */
export async function updateRealm(switches: RealmSettings): Promise<void> {
  await (await admin()).realms.update(theRealm(), switches);
}

/** Marks an address as confirmed in Keycloak, and waits until the creator's record contains that. */
export async function verifyEmail({ uid, token }: { uid: string; token: string }): Promise<void> {
  await updateUser(uid, { emailVerified: true });
  const knows = async () => (await fetchJson<Creator>('GET', '/api/me', { token })).emailVerified;
  await expect.poll(knows, { timeout: 30_000 }).toBe(true);
}
