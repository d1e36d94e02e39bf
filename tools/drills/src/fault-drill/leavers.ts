import { withClient } from '@stoa/system';
import type { Account } from '@stoa/e2e/creators';
import { tablesKeptAfterDeletion, retryDeletionsNow } from '@stoa/e2e/leaver';
import { findUser } from '@stoa/e2e/keycloak-admin';
import { tablesWith } from '@stoa/e2e/remains';
import { theSystem } from '@stoa/e2e/system';
import type { Outcome } from './ledger.ts';
import type { DrillMails } from './mails.ts';

/** An account whose deletion was requested. */
export interface DrillLeaver extends Account {
  readonly uid: string;
  outcome: Outcome;
}

/**
 * Checks requested deletions: an acknowledged one must be recorded, and a recorded one must be complete. Reconcile
 * compares their objects with the databases.
 */
export async function violationsOfLeavers(
  leavers: readonly DrillLeaver[],
  mails: DrillMails,
): Promise<string[]> {
  await retryDeletionsNow();
  const recorded = await recordedDeletions(leavers);
  const found = leavers.flatMap(({ uid, username, outcome }) => {
    const finished = recorded.get(uid);
    if (finished === undefined && outcome === 'acknowledged')
      return [`the acknowledged deletion of ${username} is lost`];
    return finished === false ? [`the deletion of ${username} is not complete`] : [];
  });
  const gone = leavers.filter(({ uid }) => recorded.get(uid));
  if (gone.length === 0) return found;
  const kept = new Set(tablesKeptAfterDeletion);
  const named = await tablesWith(
    gone.flatMap(({ username, email, displayName }) => [username, email, displayName]),
  );
  found.push(...named.map((table) => `${table} names a deleted account`));
  const numbered = await tablesWith(gone.map(({ uid }) => uid));
  found.push(
    ...numbered
      .filter((table) => !kept.has(table))
      .map((table) => `${table} contains data of a deleted account`),
  );
  for (const { uid, username, email } of gone) {
    if (await findUser(uid)) found.push(`Keycloak still has the deleted account ${username}`);
    if (!mails.has(email)) found.push(`${username} was deleted and got no receipt`);
  }
  return found;
}

/** Whether each deletion is finished, by uid; without those that are not recorded. */
async function recordedDeletions(leavers: readonly DrillLeaver[]): Promise<ReadonlyMap<string, boolean>> {
  return withClient(theSystem().postgres.urls.identity, async (client) => {
    const { rows } = await client.query<{ uid: string; finished: boolean }>(
      'SELECT uid, finished_at IS NOT NULL AS finished FROM account_deletion WHERE uid = ANY ($1)',
      [leavers.map(({ uid }) => uid)],
    );
    return new Map(rows.map(({ uid, finished }) => [uid, finished]));
  });
}
