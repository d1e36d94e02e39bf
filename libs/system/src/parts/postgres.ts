import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { inRepository } from '../paths.ts';
import { run } from '../processes/run.ts';
import { type ProcessSpec } from '../processes/supervised.ts';
import { certificateOf } from '../settings/certificates.ts';
import { baseEnvironment } from '../settings/environment.ts';
import { type PostgresFolders } from './postgres-folders.ts';

/** Initialises the database cluster if there is none, in a temporary folder, so that an incomplete one is never used. */
export async function initialisePostgres(folders: PostgresFolders, password: string): Promise<void> {
  const { programs, data, user } = folders;
  if (existsSync(join(data, 'PG_VERSION'))) return;
  const fresh = `${data}.new`;
  const passwordFile = `${data}.password`;
  mkdirSync(dirname(data), { recursive: true });
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [fresh, passwordFile]) chownSync(path, user.uid, user.gid);
  try {
    const args = ['-D', fresh, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    // The built-in provider sorts and folds case the same on every machine, whatever its locales.
    const provider = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    // Trigrams of pg_trgm contain the letters that the C library knows; with the locale C these are only ASCII.
    const locale = [...provider, '--locale=C', `--lc-ctype=${letters}`];
    await run(join(programs, 'bin/initdb'), [...args, ...locale, '--no-instructions', '--no-sync'], {
      cwd: '/',
      env: baseEnvironment(),
      ...(user && { user }),
    });
    renameSync(fresh, data);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** A locale of the C library that knows all letters and exists on every machine. */
const letters = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';

export interface PostgresOptions {
  folders: PostgresFolders;
  port: number;
  adminUrl: string;
  /** Whether commits survive a power cut; otherwise they only survive a crash of Postgres. */
  durable: boolean;
  certificates: string | undefined;
}

/** How Postgres runs under the supervisor. */
export function postgresProcess(options: PostgresOptions): ProcessSpec {
  const { folders, port, adminUrl, durable, certificates } = options;
  const { programs, data, user } = folders;
  // Gives each file to the user of Postgres, which refuses files of other users.
  const install = (file: string, name: string) => {
    const own = join(data, name);
    copyFileSync(file, own);
    chmodSync(own, 0o600);
    if (user) chownSync(own, user.uid, user.gid);
    return own;
  };
  install(inRepository('deploy/postgres/postgresql.conf'), 'postgresql.conf');
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories='];
  // Without syncs commits survive a kill of Postgres, as in drills, but not a crash of the machine.
  if (!durable) settings.push('fsync=off', 'full_page_writes=off');
  if (certificates) {
    const { certificate, key } = certificateOf(certificates, 'postgres');
    settings.push(
      'ssl=on',
      `ssl_cert_file=${install(certificate, 'tls.crt')}`,
      `ssl_key_file=${install(key, 'tls.key')}`,
      `hba_file=${install(inRepository('deploy/postgres/tls.pg_hba.conf'), 'tls.pg_hba.conf')}`,
    );
  }
  return {
    name: 'postgres',
    command: join(programs, 'bin/postgres'),
    args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    cwd: '/',
    env: baseEnvironment(),
    ...(user && { user }),
    // A "fast" shutdown: it closes open connections and writes everything to disk.
    stopSignal: 'SIGINT',
    ready: () => answersQueries(adminUrl),
  };
}

/** Whether Postgres answers at this address. */
export async function answersQueries(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
  return true;
}
