import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRepository } from '../paths.ts';
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
import { chosenParts, describeChoice } from './chosen-parts.ts';
import { startDockerParts } from './docker.ts';
import { type FaultControl, processControl } from './fault-control.ts';
import { startNativeParts, type AfterPart } from './native.ts';
import { postgresUser, reachableFolder } from './unprivileged-user.ts';

export interface StartPartsOptions {
  /** The folder of data, logs and secrets. By default it is a temporary one that is removed at the end. */
  dir?: string;
  /** Parts on free ports are temporary. Their data is not synced to disk unless `durable` is set. */
  ports?: 'default' | 'free';
  durable?: boolean;
  only?: readonly PartName[];
  /** How many test files share NATS, each with its own accounts and streams. */
  natsPlaces?: number;
  /** The object store; by default that of STOA_STORE. */
  store?: Store;
  /** Whether the parts use TLS; by default as STOA_TLS states. */
  tls?: boolean;
  log?: (line: string) => void;
}

/**
 * The addresses of the parts, and functions that find them. As JSON it is a `PartsDescription`. It also contains
 * addresses and passwords of parts that were not started.
 */
export interface PartsHandles extends PartsDescription {
  readonly postgres: PartsDescription['postgres'] & { urlFor(database: Database): string };
  readonly nats: PartsDescription['nats'] & { credentials(user: NatsUser): NatsCredentials };
  environment(app: App): Record<string, string>;
}

export interface Parts extends PartsHandles {
  readonly dir: string;
  readonly ports: Ports;
  /** Stops, kills, pauses and restarts single parts. */
  readonly control: FaultControl;
  /** Ends all parts and removes their temporary data. */
  stop(): Promise<void>;
}

/** A separate server, which `close` removes; the other methods are those of `FaultControl`. */
export type NatsServer = Parts['nats'] &
  Record<'stop' | 'kill' | 'pause' | 'resume' | 'start' | 'close', () => Promise<void>>;

/** Starts real parts and resolves once they are ready. They end with this process, even after a crash. */
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
      natsPlaces: options.natsPlaces,
      store: options.store,
      tls: options.tls,
    });
    return {
      ...started.parts,
      control: started.control,
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

/** A separate NATS server for a test file, with the same configuration and streams. */
export async function startNats(options: Pick<StartPartsOptions, 'dir'> = {}): Promise<NatsServer> {
  const { nats, stop, control } = await startParts({ ...options, only: ['nats'] });
  return {
    ...nats,
    stop: () => control.stop('nats'),
    kill: () => control.kill('nats'),
    pause: () => control.pause('nats'),
    resume: () => control.resume('nats'),
    start: () => control.start('nats'),
    close: stop,
  };
}

export interface PartsUnderOptions {
  dir: string;
  ports: Ports;
  only: readonly PartName[];
  natsPlaces?: number | undefined;
  store?: Store | undefined;
  tls?: boolean | undefined;
  temporary: boolean;
  durable?: boolean;
  supervisor: Supervisor;
  reporter: Reporter;
  after?: AfterPart;
}

export interface StartedParts {
  readonly parts: Omit<Parts, 'control' | 'stop'>;
  /** Controls the parts, and every process of the supervisor. */
  readonly control: FaultControl;
  stop(): Promise<void>;
}

/** Starts parts under a supervisor that the caller closes. */
export async function startPartsUnder(options: PartsUnderOptions): Promise<StartedParts> {
  const { dir, ports, supervisor } = options;
  // Starts Postgres too if Keycloak is requested, because Keycloak stores its data there.
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
  const natsConfiguration = options.natsPlaces && (await writeNatsPlaces(dir, options.natsPlaces));
  const given = {
    ...options,
    only,
    secrets,
    parts: description,
    ...(natsConfiguration && { natsConfiguration }),
  };
  const choice = await chosenParts();
  options.reporter.line(describeChoice(choice));
  const processes = processControl(supervisor);
  if (choice.kind === 'docker') {
    const started = await startDockerParts({ ...given, processes });
    return { parts, ...started };
  }
  await requireFreePorts(ports, only);
  await startNativeParts({ ...given, folder: dir });
  return { parts, control: processes, stop: () => supervisor.close(stopOrder) };
}

/** Writes a configuration with accounts for test files. It imports the contracts, which must be built by then. */
async function writeNatsPlaces(dir: string, count: number): Promise<string> {
  const { withNatsPlaces } = await import('../settings/nats-rights.ts');
  const file = join(dir, 'nats.conf');
  writeFileSync(file, withNatsPlaces(readFileSync(inRepository('deploy/nats/nats.conf'), 'utf8'), count));
  return file;
}

/** Handles on parts, from their description. */
export function partsHandlesOf(description: PartsDescription): PartsHandles {
  const { postgres, nats, environments } = description;
  return {
    ...description,
    postgres: { ...postgres, urlFor: (database) => postgres.urls[database] },
    nats: { ...nats, credentials: (user) => nats.users[user] },
    environment: (app) => environments[app],
  };
}

/** Opens a folder and a supervisor for a set of parts. A temporary folder is removed at the end, even after a crash. */
export function openDataFolder(given: string | undefined, log: (line: string) => void) {
  const dir = given ?? mkdtempSync(join(tmpdir(), 'stoa-'));
  // Postgres may run as another user, who must be able to enter this folder.
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

/** Removes a data folder, and the folder outside it that Postgres used if it could not reach this one. */
export function removeData(dir: string): void {
  for (const folder of [dir, ...elsewhere(dir)]) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

const elsewhere = (dir: string) => (postgresUser() ? [reachableFolder(join(dir, 'data/postgres'))] : []);
