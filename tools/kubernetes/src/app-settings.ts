import { type App, apps, appSchema } from '@stoa/system';
import type { z } from 'zod';

export type EnvironmentSchema = z.ZodObject;

/** What an app reads from its environment, by its source. */
export const settingsOf = (app: App): Promise<EnvironmentSchema> => appSchema(app, 'src');

/** The settings of every app. */
export async function allSettings(from: 'src' | 'dist' = 'src'): Promise<Record<App, EnvironmentSchema>> {
  const entries = await Promise.all(apps.map(async (app) => [app, await appSchema(app, from)] as const));
  return Object.fromEntries(entries) as Record<App, EnvironmentSchema>;
}

// Libraries and the telemetry SDK read their own, standard variables.
const standard = /^(NODE_ENV$|OTEL_)/;

/** Whether a process with these settings reads a variable of this name. */
export const reads = ({ shape }: EnvironmentSchema, name: string): boolean =>
  name in shape || standard.test(name);
