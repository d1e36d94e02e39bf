import { withClient } from '@stoa/system';
import type { Account } from '../creators.ts';
import { keptOfDeleted, tryNow } from '../deletion-drill/leaver.ts';
import { findUser } from '../keycloak-admin.ts';
import { tablesWith } from '../remains.ts';
import { theSystem } from '../system.ts';
import type { Outcome } from './ledger.ts';
import type { DrillMails } from './mails.ts';

/** Somebody who has asked for the end of their account. */
export interface DrillLeaver extends Account {
  readonly uid: string;
  asked: Outcome;
}

/**
 * What is not as these were told: a deletion that was acknowledged has to be recorded, and one that is recorded has to be
 * complete. Their objects are compared with the databases by reconcile.
 */
export async function violationsOfLeavers(
  leavers: readonly DrillLeaver[],
  mails: DrillMails,
): Promise<string[]> {
  await tryNow();
  const recorded = await recordedDeletions(leavers);
  const found = leavers.flatMap(({ uid, username, asked }) => {
    const finished = recorded.get(uid);
    if (finished === undefined && asked === 'acknowledged')
      return [`the acknowledged deletion of ${username} is lost`];
    return finished === false ? [`the deletion of ${username} is not complete`] : [];
  });
  const gone = leavers.filter(({ uid }) => recorded.get(uid));
  if (gone.length === 0) return found;
  const kept = new Set(keptOfDeleted);
  const named = await tablesWith(
    gone.flatMap(({ username, email, displayName }) => [username, email, displayName]),
  );
  found.push(...named.map((table) => `${table} names somebody who has left`));
  const numbered = await tablesWith(gone.map(({ uid }) => uid));
  found.push(
    ...numbered
      .filter((table) => !kept.has(table))
      .map((table) => `${table} keeps something of who has left`),
  );
  for (const { uid, username, email } of gone) {
    if (await findUser(uid)) found.push(`Keycloak still has ${username}, who has left`);
    if (!mails.has(email)) found.push(`${username} has left and was mailed no receipt`);
  }
  return found;
}

/** Whether the deletion of each is finished; nothing of whom none is recorded. */
async function recordedDeletions(leavers: readonly DrillLeaver[]): Promise<ReadonlyMap<string, boolean>> {
  return withClient(theSystem().postgres.urls.identity, async (client) => {
    const { rows } = await client.query<{ uid: string; finished: boolean }>(
      'SELECT uid, finished_at IS NOT NULL AS finished FROM account_deletion WHERE uid = ANY ($1)',
      [leavers.map(({ uid }) => uid)],
    );
    return new Map(rows.map(({ uid, finished }) => [uid, finished]));
  });
}
