import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { trackedProcesses } from '../processes/tracked-processes.ts';
import { stopOrder } from '../processes/stop-order.ts';
import { Supervisor } from '../processes/supervisor.ts';
import { plainReporter, type Reporter } from '../progress.ts';
import { makeCertificates, trustAuthority, wantsTls } from '../settings/certificates.ts';
import { describeParts } from '../settings/description.ts';
import type { NatsCredentials, PartsDescription } from '../settings/parts-description.ts';
import { partNames, type App, type Database, type NatsUser, type PartName } from '../settings/names.ts';
import { defaultPorts, freePorts, type Ports } from '../settings/ports.ts';
import { type Store } from '../settings/store.ts';
import { loadSecrets } from '../settings/secrets.ts';
import { requireFreePorts } from './busy-ports.ts';
import { startDockerParts, usesDocker } from './docker.ts';
import { startNativeParts, type AfterPart } from './native.ts';
import { postgresUser, reachableFolder } from './unprivileged-user.ts';

export interface StartPartsOptions {
  /** Where data, logs and secrets go. Without one a temporary folder is made and removed at the end. */
  dir?: string;
  /** Parts on free ports live as long as a test run: their data are not synced to disk, unless they are `durable`. */
  ports?: 'default' | 'free';
  durable?: boolean;
  only?: readonly PartName[];
  /** The object store; the one of STOA_STORE unless told. */
  store?: Store;
  /** Whether the parts speak TLS; as STOA_TLS says unless told. */
  tls?: boolean;
  log?: (line: string) => void;
}

/**
 * Where the parts are, and functions to look things up. As JSON it is a `PartsDescription`. Addresses and
 * passwords of parts that were left out are there too, but nothing answers.
 */
export interface PartsHandles extends PartsDescription {
  readonly postgres: PartsDescription['postgres'] & { urlFor(database: Database): string };
  readonly nats: PartsDescription['nats'] & { credentials(user: NatsUser): NatsCredentials };
  environment(app: App): Record<string, string>;
}

export interface Parts extends PartsHandles {
  readonly dir: string;
  readonly ports: Ports;
  /** Of the parts that run as processes here. */
  readonly supervisor: Supervisor;
  stop(): Promise<void>;
}

/**
 * `leave` and `comeBack` stop and start the server at its place, with its data, `kill` ends it by SIGKILL for `comeBack` to
 * start again; `hang` and `goOn` hold it and let it go.
 */
export type NatsServer = Parts['nats'] &
  Record<'stop' | 'leave' | 'kill' | 'comeBack', () => Promise<void>> &
  Record<'hang' | 'goOn', () => void>;

/** Starts real parts and leaves them ready for use; whatever happens to this process, they end with it. */
export async function startParts(options: StartPartsOptions = {}): Promise<Parts> {
  const { only = partNames, log = () => undefined, ports = 'free', durable = false } = options;
  const workplace = openDataFolder(options.dir, log);
  try {
    const started = await startPartsUnder({
      ...workplace,
      ports: ports === 'default' ? defaultPorts() : await freePorts(),
      temporary: ports === 'free',
      durable,
      only,
      store: options.store,
      tls: options.tls,
    });
    return {
      ...started.parts,
      supervisor: workplace.supervisor,
      async stop() {
        await started.stop();
        await workplace.close();
      },
    };
  } catch (error) {
    await workplace.close();
    throw error;
  }
}

/** A NATS server of its own, with the same configuration and streams, for a test file. */
export async function startNats(options: Pick<StartPartsOptions, 'dir'> = {}): Promise<NatsServer> {
  const { nats, stop, supervisor } = await startParts({ ...options, only: ['nats'] });
  return {
    ...nats,
    stop,
    leave: () => supervisor.stop('nats'),
    kill: () => {
      supervisor.signal('nats', 'SIGKILL');
      return supervisor.stop('nats');
    },
    comeBack: () => supervisor.startAgain('nats'),
    hang: () => supervisor.hold('nats', 'SIGSTOP'),
    goOn: () => supervisor.hold('nats', 'SIGCONT'),
  };
}

export interface PartsUnderOptions {
  dir: string;
  ports: Ports;
  only: readonly PartName[];
  store?: Store | undefined;
  tls?: boolean | undefined;
  temporary: boolean;
  durable?: boolean;
  supervisor: Supervisor;
  reporter: Reporter;
  after?: AfterPart;
}

/** Starts parts under a supervisor that the caller ends. */
export async function startPartsUnder(options: PartsUnderOptions) {
  const { dir, ports, supervisor } = options;
  // Keycloak keeps its data in Postgres.
  const only = partNames.filter(
    (part) => options.only.includes(part) || (part === 'postgres' && options.only.includes('keycloak')),
  );
  mkdirSync(join(dir, 'data'), { recursive: true });
  const secrets = loadSecrets(join(dir, 'secrets.env'));
  const certificates =
    (options.tls ?? wantsTls()) ? await makeCertificates(join(dir, 'certificates')) : undefined;
  if (certificates) trustAuthority(certificates);
  const description = describeParts(ports, secrets, undefined, options.store, certificates);
  const parts = { dir, ports, ...partsHandlesOf(description) };
  if (await usesDocker())
    return { parts, stop: await startDockerParts({ ...options, only, secrets, parts: description }) };
  await requireFreePorts(ports, only);
  await startNativeParts({ ...options, only, folder: dir, secrets, parts: description });
  return { parts, stop: () => supervisor.close(stopOrder) };
}

/** Handles on parts, from what was written down about them. */
export function partsHandlesOf(description: PartsDescription): PartsHandles {
  const { postgres, nats, environments } = description;
  return {
    ...description,
    postgres: { ...postgres, urlFor: (database) => postgres.urls[database] },
    nats: { ...nats, credentials: (user) => nats.users[user] },
    environment: (app) => environments[app],
  };
}

/** A folder and a supervisor for a set of parts. A folder made here goes at the end, also after a crash. */
export function openDataFolder(given: string | undefined, log: (line: string) => void) {
  const dir = given ?? mkdtempSync(join(tmpdir(), 'stoa-'));
  // Postgres may run as another user, who has to get past this folder.
  chmodSync(dir, 0o711);
  const folders = given === undefined ? [dir, ...elsewhere(dir)] : [];
  for (const folder of folders) trackedProcesses().addFolder(folder);
  const reporter = plainReporter(log);
  const supervisor = new Supervisor({ logs: join(dir, 'logs'), say: reporter.line });
  return {
    dir,
    reporter,
    supervisor,
    async close() {
      await supervisor.close(stopOrder);
      if (given === undefined) removeData(dir);
      for (const folder of folders) trackedProcesses().dropFolder(folder);
    },
  };
}

/** Removes a data folder, and what stands elsewhere because Postgres could not reach it. */
export function removeData(dir: string): void {
  for (const folder of [dir, ...elsewhere(dir)]) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

const elsewhere = (dir: string) => (postgresUser() ? [reachableFolder(join(dir, 'data/postgres'))] : []);
