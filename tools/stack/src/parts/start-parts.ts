import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Supervisor } from '../processes/supervisor.ts';
import { plainReporter, type Reporter } from '../progress.ts';
import { describeParts, type NatsCredentials, type PartsDescription } from '../settings/description.ts';
import { partNames, type App, type Database, type NatsUser, type PartName } from '../settings/names.ts';
import { defaultPorts, freePorts, requireFree, type PortName, type Ports } from '../settings/ports.ts';
import { loadSecrets } from '../settings/secrets.ts';
import { startNativeParts, stopNativeParts } from './native.ts';
import { postgresUser, reachableFolder } from './unprivileged-user.ts';

export interface StartPartsOptions {
  /** Where data, logs and secrets go. Without one a temporary folder is made and removed at the end. */
  dir?: string;
  ports?: 'default' | 'free';
  only?: readonly PartName[];
  log?: (line: string) => void;
}

/** Running parts. Addresses and passwords of parts that were left out are there too, but nobody answers. */
export interface Parts {
  readonly dir: string;
  readonly ports: Ports;
  readonly siteUrl: string;
  readonly postgres: { adminUrl: string; urlFor(database: Database): string };
  readonly nats: { url: string; credentials(user: NatsUser): NatsCredentials };
  readonly minio: PartsDescription['minio'];
  readonly keycloak: PartsDescription['keycloak'];
  readonly mail: PartsDescription['mail'];
  /** Everything at once as plain data, to be handed to another process. */
  readonly description: PartsDescription;
  environment(app: App): Record<string, string>;
  stop(): Promise<void>;
}

/** Starts real parts and leaves them ready for use; whatever happens to this process, they end with it. */
export async function startParts(options: StartPartsOptions = {}): Promise<Parts> {
  const dir = options.dir ?? temporaryFolder();
  const reporter = plainReporter(options.log ?? (() => undefined));
  const supervisor = new Supervisor({
    logs: join(dir, 'logs'),
    say: reporter.line,
    ...(options.dir === undefined && { temporary: dir }),
  });
  const { only = partNames } = options;
  const temporary = options.dir === undefined;
  try {
    const { parts, stop } = await startPartsUnder({
      dir,
      ports: options.ports === 'default' ? defaultPorts() : await freePorts(),
      only,
      temporary,
      supervisor,
      reporter,
    });
    return {
      ...parts,
      async stop() {
        await stop();
        await finish(dir, temporary, supervisor);
      },
    };
  } catch (error) {
    await finish(dir, temporary, supervisor);
    throw error;
  }
}

export interface PartsUnderOptions {
  dir: string;
  ports: Ports;
  only: readonly PartName[];
  temporary: boolean;
  supervisor: Supervisor;
  reporter: Reporter;
}

/** Starts parts under a supervisor that the caller ends. */
export async function startPartsUnder(
  options: PartsUnderOptions,
): Promise<{ parts: Omit<Parts, 'stop'>; stop(): Promise<void> }> {
  const { dir, ports, only, supervisor } = options;
  mkdirSync(join(dir, 'data'), { recursive: true });
  const secrets = loadSecrets(join(dir, 'secrets.env'));
  const description = describeParts(ports, secrets);
  await requireFreePorts(ports, only);
  await startNativeParts({ ...options, folder: dir, secrets, parts: description });
  return { parts: { dir, ports, ...handles(description) }, stop: () => stopNativeParts(supervisor) };
}

/** Handles on parts that run elsewhere, from what was written down about them. */
export function handles(description: PartsDescription): Omit<Parts, 'stop' | 'dir' | 'ports'> {
  const { siteUrl, postgres, nats, minio, keycloak, mail, environment } = description;
  return {
    siteUrl,
    postgres: { adminUrl: postgres.adminUrl, urlFor: (database) => postgres.urls[database] },
    nats: { url: nats.url, credentials: (user) => nats.users[user] },
    minio,
    keycloak,
    mail,
    description,
    environment: (app) => environment[app],
  };
}

/** A new folder for parts that live as long as a test run. Others may enter it: Postgres may run as another user. */
export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'stoa-'));
  chmodSync(dir, 0o711);
  return dir;
}

async function finish(dir: string, temporary: boolean, supervisor: Supervisor): Promise<void> {
  await supervisor.close();
  if (temporary) removeData(dir);
}

/** Removes a data folder, and what stands elsewhere because Postgres could not reach it. */
export function removeData(dir: string): void {
  const elsewhere = postgresUser() ? [reachableFolder(join(dir, 'data/postgres'))] : [];
  for (const folder of [dir, ...elsewhere]) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

const portsOf: Record<PartName, [PortName, string][]> = {
  postgres: [['postgres', 'Postgres']],
  nats: [['nats', 'NATS']],
  minio: [['minio', 'MinIO']],
  keycloak: [
    ['keycloak', 'Keycloak'],
    ['keycloakHealth', "Keycloak's health checks"],
  ],
  mail: [
    ['smtp', 'the mail catcher'],
    ['mail', "the mail catcher's pages"],
  ],
};

async function requireFreePorts(ports: Ports, only: readonly PartName[]): Promise<void> {
  for (const name of only)
    for (const [port, what] of portsOf[name]) await requireFree(what, port, ports[port]);
}
