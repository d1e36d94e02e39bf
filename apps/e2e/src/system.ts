import type { ControlAddress, PartsDescription } from '@stoa/system';
import type { Ports } from '@stoa/system/settings/ports';
import type { Wires } from '@stoa/system/testing/wires';
import { runningDevelopment } from '@stoa/system/testing/development-system';
import { readFileSync } from 'node:fs';

/** What a test knows of the running system. */
export interface RunningSystem extends PartsDescription {
  control: ControlAddress;
  /** Holds data and logs. */
  dir: string;
  ports: Ports;
  /** Of the second replicas, where there are any. */
  replicaPorts?: Ports;
  /** The wires to the parts, where apps reach them by any. */
  wires?: Wires;
}

let known: RunningSystem | undefined;

/** The system that this run shares; its description stands in the file that STOA_TEST_PARTS names. */
export function theSystem(): RunningSystem {
  const file = process.env.STOA_TEST_PARTS;
  if (!file) throw new Error('STOA_TEST_PARTS names no file: the global setup has not run.');
  return (known ??= JSON.parse(readFileSync(file, 'utf8')) as RunningSystem);
}

/** Lets a run that was handed no system use the one of `npm run dev`. An empty variable asks for a system of its own. */
export function attach(): void {
  const development = process.env.STOA_TEST_PARTS ?? runningDevelopment();
  if (development) process.env.STOA_TEST_PARTS = development;
}

/** Whether this run shares the system of `npm run dev`, which no test may stop. */
export const isDevelopment = (): boolean =>
  process.env.STOA_TEST_PARTS !== undefined && process.env.STOA_TEST_PARTS === runningDevelopment();

/** The site's address; undefined while Playwright reads its configuration before anything was started. */
export const siteUrl = (): string | undefined =>
  process.env.STOA_TEST_PARTS ? theSystem().siteUrl : undefined;

/** Keycloak's pages carry this address; the site's own carry the site's. */
export const realmUrl = (): string =>
  `${theSystem().keycloak.publicUrl}/realms/${theSystem().keycloak.realm}`;
