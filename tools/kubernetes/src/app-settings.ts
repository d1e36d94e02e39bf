import { type App, apps, appSchema } from '@stoa/system';
import type { z } from 'zod';

export type EnvironmentSchema = z.ZodObject;

/** The environment schema of an app, from its source. */
export const settingsOf = (app: App): Promise<EnvironmentSchema> => appSchema(app, 'src');

export async function allSettings(from: 'src' | 'dist' = 'src'): Promise<Record<App, EnvironmentSchema>> {
  const entries = await Promise.all(apps.map(async (app) => [app, await appSchema(app, from)] as const));
  return Object.fromEntries(entries) as Record<App, EnvironmentSchema>;
}

// Libraries and the telemetry SDK read standard variables of their own.
const standard = /^(NODE_ENV$|OTEL_)/;

/** Whether a process with this schema reads a variable of this name. */
export const reads = ({ shape }: EnvironmentSchema, name: string): boolean =>
  name in shape || standard.test(name);
