import type { ControlAddress, PartsDescription } from '@stoa/system';
import type { Ports } from '@stoa/system/settings/ports';
import type { Wires } from '@stoa/system/testing/wires';
import { runningDevelopment } from '@stoa/system/testing/development-system';
import { readFileSync } from 'node:fs';

/** The description of the running system. */
export interface RunningSystem extends PartsDescription {
  control: ControlAddress;
  /** The folder of data and logs. */
  dir: string;
  ports: Ports;
  /** The ports of second replicas, if they run. */
  replicaPorts?: Ports;
  /** The proxies between apps and parts, if there are any. */
  wires?: Wires;
}

let known: RunningSystem | undefined;

/** The system of this run, described in the file of STOA_TEST_PARTS. */
export function theSystem(): RunningSystem {
  const file = process.env.STOA_TEST_PARTS;
  if (!file) throw new Error('STOA_TEST_PARTS names no file: the global setup has not run.');
  return (known ??= JSON.parse(readFileSync(file, 'utf8')) as RunningSystem);
}

/** Lets a run use the system of `npm run dev`. An empty STOA_TEST_PARTS makes the run start its own system. */
export function attach(): void {
  const development = process.env.STOA_TEST_PARTS ?? runningDevelopment();
  if (development) process.env.STOA_TEST_PARTS = development;
}

/** Whether this run uses the system of `npm run dev`, which no test may stop. */
export const isDevelopment = (): boolean =>
  process.env.STOA_TEST_PARTS !== undefined && process.env.STOA_TEST_PARTS === runningDevelopment();

/** The site's URL. Undefined while Playwright reads its configuration before the system starts. */
export const siteUrl = (): string | undefined =>
  process.env.STOA_TEST_PARTS ? theSystem().siteUrl : undefined;

/** The public URL of the realm. */
export const realmUrl = (): string =>
  `${theSystem().keycloak.publicUrl}/realms/${theSystem().keycloak.realm}`;
