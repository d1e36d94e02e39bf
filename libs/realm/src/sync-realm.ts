import { spellAddresses } from './address-spelling.ts';
import { syncClient } from './client.ts';
import { readDefinitions } from './definitions.ts';
import { closeMaster, openAdmin } from './master-realm.ts';
import { limitIdentity } from './identity-rights.ts';
import { makeOperatorRole } from './operator-role.ts';
import { syncRealmSettings } from './realm.ts';
import { requireTerms } from './registration-flow.ts';
import { syncRequiredAction } from './required-action.ts';
import { requireLogInAfterReset } from './reset-flow.ts';
import { offerSecondFactors } from './second-factors.ts';
import type { RealmSettings } from './settings.ts';
import { syncTokenKeys } from './token-keys.ts';
import { disableOtherActions, disableOtherFlows, withdrawOtherScopes } from './unnamed-parts.ts';

/** Changes the realm to match the checked-in definitions. Idempotent. */
export async function syncRealm(settings: RealmSettings): Promise<void> {
  const log = settings.log ?? (() => {});
  const siteUrl = new URL(settings.siteUrl).origin;
  const definitions = await readDefinitions(settings.definitions);
  const { realm, clients, requiredActions, flowSteps, userProfile } = definitions;
  const admin = await openAdmin(settings, definitions);
  const name = realm.realm;

  await syncRealmSettings(admin, { ...realm, attributes: { ...realm.attributes, siteUrl } }, settings.smtp);
  log(`realm ${name}: settings`);

  await syncTokenKeys(admin, name);
  log(`realm ${name}: token keys`);

  await admin.users.updateProfile({ realm: name, ...userProfile });
  log(`realm ${name}: user profile`);

  await spellAddresses(admin, name, log);
  log(`realm ${name}: domains of email addresses in ASCII`);

  for (const client of clients) {
    const ours = { ...client };
    if (client.clientId === 'web') ours.rootUrl = siteUrl;
    if (client.clientId === 'identity') ours.secret = settings.identitySecret;
    await syncClient(admin, name, ours);
    log(`realm ${name}: client ${client.clientId}`);
  }

  await makeOperatorRole(admin, name);
  log(`realm ${name}: role of operators, granted by hand`);

  for (const action of requiredActions) await syncRequiredAction(admin, name, action);
  await disableOtherActions(admin, name, requiredActions);
  log(`realm ${name}: required actions`);

  await requireTerms(admin, name);
  log(`realm ${name}: terms must be accepted at sign-up`);

  await offerSecondFactors(admin, name);
  log(`realm ${name}: optional second factors`);

  await requireLogInAfterReset(admin, name);
  log(`realm ${name}: log-in required after a password reset`);

  await disableOtherFlows(admin, name, flowSteps);
  await withdrawOtherScopes(admin, name, clients);
  log(`realm ${name}: unnamed flows, steps and client scopes removed`);

  // Runs last, because Keycloak adds the realm's scopes to its permissions client, and no admin may remove
  // them.
  await limitIdentity(admin, name);
  log(`realm ${name}: identity views and manages users, and grants no roles`);

  await closeMaster(admin, settings, definitions);
  log('realm master: closed');
}
