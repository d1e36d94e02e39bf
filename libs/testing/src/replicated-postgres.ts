import { run, withClient } from '@stoa/system';
import { initialisePostgres, postgresProcess } from '@stoa/system/parts/postgres';
import { postgresFolders } from '@stoa/system/parts/postgres-folders';
import { Supervisor } from '@stoa/system/processes/supervisor';
import { freeBlock } from '@stoa/system/settings/ports';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/** A Postgres primary and a streaming replica, each a server of its own. */
export interface ReplicatedPostgres {
  /** The administrator's URL of the primary. */
  readonly adminUrl: string;
  /** Converts a URL of the primary to the replica. */
  readonly atReplica: (url: string) => string;
  /** Pauses the replay: the replica receives changes but does not show them. */
  readonly pauseReplay: () => Promise<void>;
  readonly resumeReplay: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts both on free ports. The replica starts from a low-level base backup, a copy of the primary's files. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-replicated-'));
  // Opens the folder to the operating system user of Postgres.
  await chmod(folder, 0o755);
  const primaryPort = await freeBlock(2);
  const replicaPort = primaryPort + 1;
  const password = randomBytes(12).toString('hex');
  const at = (port: number) => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const [adminUrl, replicaUrl] = [at(primaryPort), at(replicaPort)];
  const folders = await postgresFolders(join(folder, 'primary'));
  const copy = { ...folders, data: join(folder, 'replica') };
  const supervisor = new Supervisor({ logs: folder, say: () => undefined });
  const start = (name: string, of: typeof folders, port: number, url: string) =>
    supervisor.start({
      ...postgresProcess({ folders: of, port, adminUrl: url, durable: false, certificates: undefined }),
      name,
    });

  await initialisePostgres(folders, password);
  await start('primary', folders, primaryPort, adminUrl);
  await baseBackup(adminUrl, folders.data, copy.data);
  await start('replica', copy, replicaPort, replicaUrl);
  const replay = (change: 'pause' | 'resume') => () =>
    withClient(replicaUrl, async (client) => void (await client.query(`SELECT pg_wal_replay_${change}()`)));
  return {
    adminUrl,
    atReplica: (url) => Object.assign(new URL(url), { port: String(replicaPort) }).href,
    pauseReplay: replay('pause'),
    resumeReplay: replay('resume'),
    stop: async () => {
      await supervisor.close([['replica'], ['primary']]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function baseBackup(adminUrl: string, from: string, to: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('replica', true)");
    await run('cp', ['-a', from, to], { cwd: '/' });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await rm(join(to, 'postmaster.pid'), { force: true });
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
    await writeFile(join(to, 'standby.signal'), '');
    await writeFile(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${adminUrl}'\n`);
    await run('chown', ['-R', '--reference', from, to], { cwd: '/' });
  } finally {
    await client.end();
  }
}
