import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { goProgram, goPrograms } from '../fetch/go-programs.ts';
import { keycloakDistribution } from '../fetch/keycloak-distribution.ts';
import { requirePrerequisites } from '../fetch/prerequisites.ts';
import { endRunning } from '../processes/run.ts';
import { type ProcessSpec } from '../processes/supervised.ts';
import { type Supervisor } from '../processes/supervisor.ts';
import { type Reporter, type Task } from '../progress.ts';
import { provision } from '../provision/provision.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { partNames, type PartName } from '../settings/names.ts';
import { type Ports } from '../settings/ports.ts';
import { requireSecret, type Secrets } from '../settings/secrets.ts';
import { keycloakProcess } from './keycloak.ts';
import { mailProcess } from './mail.ts';
import { minioProcess } from './minio.ts';
import { versitygwProcess } from './versitygw.ts';
import { natsProcess } from './nats.ts';
import { postgresFolders } from './postgres-folders.ts';
import { initialisePostgres, postgresProcess } from './postgres.ts';

export interface NativeOptions {
  /** The folder that contains `data/<part>`. */
  folder: string;
  only: readonly PartName[];
  ports: Ports;
  secrets: Secrets;
  parts: PartsDescription;
  /** The configuration file of NATS, if not deploy/nats/nats.conf. */
  natsConfiguration?: string | undefined;
  temporary: boolean;
  /** Whether Postgres syncs to disk although its data is temporary, for measurements. */
  durable?: boolean;
  supervisor: Supervisor;
  reporter: Reporter;
  after?: AfterPart;
}

/** Work to do as soon as a part is ready, while others still start. */
export type AfterPart = Partial<Record<PartName, (parts: PartsDescription) => Promise<void>>>;

const titles: Record<PartName, string> = {
  postgres: 'Postgres',
  nats: 'NATS',
  minio: 'Object store',
  keycloak: 'Keycloak',
  mail: 'Mail',
};

/** Starts each part as soon as it has been fetched, and resolves once all are ready for use. */
export async function startNativeParts(options: NativeOptions): Promise<void> {
  const { only, parts, supervisor, reporter } = options;
  await requirePrerequisites(only, parts.minio.store);
  const started = new Map<PartName, Promise<void>>();
  const start = async (name: PartName) => {
    const task = reporter.task(titles[name], 'preparing');
    try {
      const process = await prepare[name](options, task);
      // Waits for Postgres, in which Keycloak stores its data; the other parts are independent.
      if (name === 'keycloak') await started.get('postgres');
      task.update('starting');
      await supervisor.start(process);
      if (name !== 'mail') await provision[name](parts);
      task.done();
    } catch (error) {
      task.fail('failed');
      throw error;
    }
  };
  // Starts Postgres before Keycloak, which reads the start of Postgres from the map.
  for (const name of partNames) if (only.includes(name)) started.set(name, start(name));
  const all = [...started].map(([name, done]) => done.then(() => options.after?.[name]?.(parts)));
  try {
    await Promise.all(all);
  } catch (error) {
    endRunning();
    await Promise.allSettled(all);
    throw error;
  }
}

/** The folder of a part, closed to other users of the machine: it contains sold files, mails with links, exports. */
function privateFolder(...path: string[]): string {
  const folder = join(...path);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  return folder;
}

type Prepare = (options: NativeOptions, task: Task) => Promise<ProcessSpec>;

/** Prepares the program and the folder of each part. */
export const prepare: Record<PartName, Prepare> = {
  async postgres({ folder, ports, secrets, parts, temporary, durable = !temporary }) {
    const folders = await postgresFolders(join(folder, 'data/postgres'));
    await initialisePostgres(folders, requireSecret(secrets, 'POSTGRES_PASSWORD'));
    const { certificates, postgres } = parts;
    return postgresProcess({
      folders,
      port: ports.postgres,
      adminUrl: postgres.adminUrl,
      durable,
      certificates,
    });
  },
  async nats({ folder, ports, secrets, natsConfiguration: configuration, parts: { certificates } }, task) {
    const program = await goProgram(goPrograms.nats, task);
    return natsProcess(
      { program, folder: privateFolder(folder, 'data/nats'), configuration, secrets, certificates },
      ports.nats,
    );
  },
  async minio({ folder, parts }, task) {
    const { store } = parts.minio;
    const describe = store === 'versitygw' ? versitygwProcess : minioProcess;
    return describe(await goProgram(goPrograms[store], task), privateFolder(folder, 'data', store), parts);
  },
  async keycloak({ folder, parts, ports }, task) {
    return keycloakProcess(
      await keycloakDistribution(task),
      privateFolder(folder, 'data/keycloak'),
      parts,
      ports,
    );
  },
  async mail({ folder, ports }) {
    return mailProcess(privateFolder(folder, 'data/mail'), ports);
  },
};
