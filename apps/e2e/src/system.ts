import type { ControlAddress, PartsDescription } from '@stoa/system';
import type { Ports } from '@stoa/system/settings/ports';
import type { Wires } from '@stoa/system/testing/wires';
import { runningDevelopment } from '@stoa/system/testing/development-system';
import { readFileSync } from 'node:fs';

/** The description of a running system that tests use. */
export interface RunningSystem extends PartsDescription {
  control: ControlAddress;
  /** Folder with data and logs of the system. */
  dir: string;
  ports: Ports;
  /** Ports of the second replicas, if there are any. */
  replicaPorts?: Ports;
  /** Proxies between apps and parts, if there are any. */
  wires?: Wires;
}

let known: RunningSystem | undefined;

/** The running system, as the file that STOA_TEST_PARTS names describes it. */
export function theSystem(): RunningSystem {
  const file = process.env.STOA_TEST_PARTS;
  if (!file) throw new Error('STOA_TEST_PARTS names no file: the global setup has not run.');
  return (known ??= JSON.parse(readFileSync(file, 'utf8')) as RunningSystem);
}

/** Makes this run use the system of `npm run dev`. If STOA_TEST_PARTS is empty, the run starts its own system. */
export function attach(): void {
  const development = process.env.STOA_TEST_PARTS ?? runningDevelopment();
  if (development) process.env.STOA_TEST_PARTS = development;
}

/** Whether this run uses the system of `npm run dev`, which tests must not stop. */
export const isDevelopment = (): boolean =>
  process.env.STOA_TEST_PARTS !== undefined && process.env.STOA_TEST_PARTS === runningDevelopment();

/** Address of the site; undefined before the system has started. */
export const siteUrl = (): string | undefined =>
  process.env.STOA_TEST_PARTS ? theSystem().siteUrl : undefined;

export const realmUrl = (): string =>
  `${theSystem().keycloak.publicUrl}/realms/${theSystem().keycloak.realm}`;
