import type { z } from 'zod';
import { inRepository } from '../paths.ts';
import type { App } from './names.ts';

/**
 * The environment schema of an app. By convention `<app>.config` exports one class made by `Environment`. The
 * built file (`dist`) loads anywhere; only Jest can load `src`, because of its decorators.
 */
export async function appSchema(app: App, from: 'src' | 'dist'): Promise<z.ZodObject> {
  const file = inRepository('apps', app, from, `${app}.config.${from === 'src' ? 'ts' : 'js'}`);
  const exported = (await import(file)) as Record<string, { schema?: z.ZodObject }>;
  const schema = Object.values(exported).find((value) => value.schema)?.schema;
  if (!schema) throw new Error(`${file} exports no class made by Environment.`);
  return schema;
}
