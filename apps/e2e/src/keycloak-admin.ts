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

/** The user, undefined when there is none. */
export async function findUser(uid: string): Promise<unknown> {
  return (await (await admin()).users.findOne(theUser(uid))) ?? undefined;
}

/** Gives an account the role of operators, as somebody does by hand. */
export async function makeOperatorOf(uid: string): Promise<void> {
  await makeOperator(await admin(), theRealm().realm, uid);
}

/** Asks something of a user at their next sign-in. */
export async function setRequiredActions(uid: string, ...requiredActions: string[]): Promise<void> {
  await updateUser(uid, { requiredActions });
}

/** Keycloak ships some actions switched off. Enabling one does not require it of any account. */
export async function enableRequiredAction(alias: string): Promise<void> {
  const { authenticationManagement } = await admin();
  const address = { ...theRealm(), alias };
  const action = await authenticationManagement.getRequiredActionForAlias(address);
  if (!action.enabled)
    await authenticationManagement.updateRequiredAction(address, { ...action, enabled: true });
}

/** Lets those who have such a second factor log in with it; nobody else notices. */
export async function enableSecondFactor(providerId: string): Promise<void> {
  const { authenticationManagement } = await admin();
  const flow = { ...theRealm(), flow: 'browser' };
  const executions = await authenticationManagement.getExecutions(flow);
  const factor = executions.find((execution) => execution.providerId === providerId);
  if (!factor) throw new Error(`The flow browser has no step ${providerId}.`);
  if (factor.requirement === 'DISABLED')
    await authenticationManagement.updateExecution(flow, { ...factor, requirement: 'ALTERNATIVE' });
}

/** Removes an account behind the product's back, as an operator could in Keycloak's console. */
export async function deleteAccount(uid: string): Promise<void> {
  await (await admin()).users.del(theUser(uid));
}

/** Lets an account sign in no more. */
export async function disableAccount(uid: string): Promise<void> {
  await (await admin()).users.update(theUser(uid), { enabled: false });
}

/** Ends every session of an account. */
export async function endSessionsOf(uid: string): Promise<void> {
  await (await admin()).users.logout(theUser(uid));
}

interface RealmSettings {
  registrationAllowed?: boolean;
  resetPasswordAllowed?: boolean;
}

/** Turns something of the whole realm off or on. */
export async function updateRealm(switches: RealmSettings): Promise<void> {
  await (await admin()).realms.update(theRealm(), switches);
}

/** Proves the address of an account as the link in its mail would, and waits until its record knows. */
export async function verifyEmail({ uid, token }: { uid: string; token: string }): Promise<void> {
  await updateUser(uid, { emailVerified: true });
  const knows = async () => (await fetchJson<Creator>('GET', '/api/me', { token })).emailVerified;
  await expect.poll(knows, { timeout: 30_000 }).toBe(true);
}
