import { backUp, type Made } from '@stoa/system/backup/backup';
import { backupTime, retentionTime, tellTime, type TimeMetric } from '@stoa/system/backup/backup-metric';
import type { Retention } from '@stoa/system/backup/retention-policy';
import { newKeys } from '@stoa/system/backup/sealed-file';
import { Problem } from '@stoa/system/problem';
import { parseArgs } from 'node:util';
import { backupPlace } from '@stoa/system/settings/backup-settings';
import { describedParts } from './described-parts.ts';

const example = '"npm run stoa backup /backups --keep-days 30"';

/** Backs up what `npm start` runs, or parts that variables tell of, while everything goes on. */
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
  const onMade = (made: Made) => tell(made, performance.now() - since);
  const onThinned = (ahead: readonly string[]) => tellThinned(address, ahead);
  const removesMost = values['remove-most'];
  const keys = { recipient, signing };
  await backUp(describedParts(), { place, keys, retention, removesMost, onMade, onThinned });
  return 0;
}

async function tell({ name, manifest, pausedMs }: Made, tookMs: number): Promise<void> {
  const rows = Object.values(manifest.databases).flatMap(({ tables }) => tables.map((table) => table.rows));
  const total = rows.reduce((sum, count) => sum + count, 0);
  const seconds = (tookMs / 1000).toFixed(1);
  console.log(
    `${name}: everything as of ${manifest.at}, ${total} rows, in ${seconds} s; writers waited for ${Math.round(pausedMs)} ms`,
  );
  await tellCollector(backupTime, new Date(manifest.at));
}

async function tellThinned(address: string, ahead: readonly string[]): Promise<void> {
  if (ahead.length > 0)
    console.error(
      `In ${address} there are backups with a time later than this one's: ${ahead.join(', ')}. Is a clock wrong? They stay until then.`,
    );
  await tellCollector(retentionTime, new Date());
}

async function tellCollector(metric: TimeMetric, at: Date): Promise<void> {
  const collector = process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (collector)
    await tellTime(collector, metric, at).catch((error: unknown) =>
      // The backup is none the worse; that nobody hears of it is what the alert is for.
      console.error(`The collector was not told of this backup: ${String(error)}`),
    );
}

/** All stay unless one of them is told. */
function retentionOf(keepDays: string | undefined, keep: string | undefined): Retention | undefined {
  const told = keepDays ?? keep;
  if (told === undefined) return undefined;
  const count = Number(told);
  if ((keepDays && keep) || !(Number.isInteger(count) && count > 0))
    throw new Problem(`Say for how many days backups are kept, or how many of them, as in ${example}.`);
  return keepDays ? { days: count } : { newest: count };
}

/** Prints new keys: the first two for the installation that backs up, the others for the operator who restores. */
export async function backupKey(): Promise<number> {
  const { sealing, opening } = await newKeys();
  console.log(`BACKUP_RECIPIENT=${sealing.recipient}
BACKUP_SIGNING_KEY=${sealing.signing}
BACKUP_IDENTITY=${opening.identity}
BACKUP_VERIFICATION_KEY=${opening.verification}`);
  return 0;
}
