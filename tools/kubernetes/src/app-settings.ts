import { apps, type App, inRepository } from '@stoa/stack';
import type { z } from 'zod';

export type EnvironmentSchema = z.ZodObject;

/**
 * What an app reads from its environment, by the convention that `apps/<app>/src/<app>.config.ts` exports one class
 * made by `Environment`. Only vitest can load these: their libraries are written with decorators.
 */
export async function settingsOf(app: App): Promise<EnvironmentSchema> {
  const file = inRepository('apps', app, 'src', `${app}.config.ts`);
  const exported = (await import(/* @vite-ignore */ file)) as Record<string, { schema?: EnvironmentSchema }>;
  const schema = Object.values(exported).find((value) => value.schema)?.schema;
  if (!schema) throw new Error(`${file} exports no class made by Environment.`);
  return schema;
}

/** The settings of every app. */
export async function allSettings(): Promise<Record<App, EnvironmentSchema>> {
  const entries = await Promise.all(apps.map(async (app) => [app, await settingsOf(app)] as const));
  return Object.fromEntries(entries) as Record<App, EnvironmentSchema>;
}

// Libraries and the telemetry SDK read their own, standard variables.
const standard = /^(NODE_ENV$|OTEL_)/;

/** Whether a process with these settings reads a variable of this name. */
export const reads = ({ shape }: EnvironmentSchema, name: string): boolean =>
  name in shape || standard.test(name);
