import { backUp, type FinishedBackup } from '@stoa/system/backup/backup';
import { backupTime, retentionTime, reportTime, type TimeMetric } from '@stoa/system/backup/time-metrics';
import type { Retention } from '@stoa/system/backup/retention-policy';
import { newKeys } from '@stoa/system/backup/sealed-file';
import { Problem } from '@stoa/system/problem';
import { parseArgs } from 'node:util';
import { backupPlace } from '@stoa/system/settings/backup-settings';
import { describedParts } from './described-parts.ts';

const example = '"npm run stoa backup /backups --keep-days 30"';

/**
 * Backs up the parts of `npm start`, or those that environment variables describe, while the product runs.
 */
export async function backup(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'keep-days': { type: 'string' },
      keep: { type: 'string' },
      'remove-most': { type: 'boolean' },
    },
  });
  const [address] = positionals;
  const retention = retentionOf(values['keep-days'], values.keep);
  if (!address) throw new Problem(`Name the folder or the bucket, as in ${example}.`);
  const { BACKUP_RECIPIENT: recipient, BACKUP_SIGNING_KEY: signing } = process.env;
  if (!recipient || !signing)
    throw new Problem(
      'Set BACKUP_RECIPIENT, which encrypts the backup, and BACKUP_SIGNING_KEY, which signs it: "npm run -s stoa backup-key" makes both.',
    );
  const place = backupPlace(address, process.env);
  const since = performance.now();
  const onMade = (made: FinishedBackup) => reportBackup(made, performance.now() - since);
  const onPruned = (ahead: readonly string[]) => reportPruned(address, ahead);
  const removesMost = values['remove-most'];
  const keys = { recipient, signing };
  await backUp(describedParts(), { place, keys, retention, removesMost, onMade, onPruned });
  return 0;
}

async function reportBackup({ name, manifest, pausedMs }: FinishedBackup, tookMs: number): Promise<void> {
  const rows = Object.values(manifest.databases).flatMap(({ tables }) => tables.map((table) => table.rows));
  const total = rows.reduce((sum, count) => sum + count, 0);
  const seconds = (tookMs / 1000).toFixed(1);
  console.log(
    `${name}: everything as of ${manifest.at}, ${total} rows, in ${seconds} s; writers waited for ${Math.round(pausedMs)} ms`,
  );
  await sendTime(backupTime, new Date(manifest.at));
}

async function reportPruned(address: string, ahead: readonly string[]): Promise<void> {
  if (ahead.length > 0)
    console.error(
      `In ${address} there are backups with a time later than this one's: ${ahead.join(', ')}. Is a clock wrong? They are kept.`,
    );
  await sendTime(retentionTime, new Date());
}

async function sendTime(metric: TimeMetric, at: Date): Promise<void> {
  const collector = process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (collector)
    await reportTime(collector, metric, at).catch((error: unknown) =>
      // Only prints a warning: the backup itself succeeded, and an alert reports missing times.
      console.error(`The collector did not receive the time of this backup: ${String(error)}`),
    );
}

/** The retention of the two options; undefined keeps all backups. */
function retentionOf(keepDays: string | undefined, keep: string | undefined): Retention | undefined {
  const given = keepDays ?? keep;
  if (given === undefined) return undefined;
  const count = Number(given);
  if ((keepDays && keep) || !(Number.isInteger(count) && count > 0))
    throw new Problem(`Give either the number of days or the number of backups to keep, as in ${example}.`);
  return keepDays ? { days: count } : { newest: count };
}

/** Prints new keys: two for the installation that backs up, two for the operator who restores. */
export async function backupKey(): Promise<number> {
  const { sealing, opening } = await newKeys();
  console.log(`BACKUP_RECIPIENT=${sealing.recipient}
BACKUP_SIGNING_KEY=${sealing.signing}
BACKUP_IDENTITY=${opening.identity}
BACKUP_VERIFICATION_KEY=${opening.verification}`);
  return 0;
}
