import type { z } from 'zod';
import { inRepository } from '../paths.ts';
import type { App } from './names.ts';

/**
 * What an app reads from its environment, by the convention that `<app>.config` exports one class made by
 * `Environment`. The built one (`dist`) loads anywhere; `src` is written with decorators, which only Jest loads.
 */
export async function appSchema(app: App, from: 'src' | 'dist'): Promise<z.ZodObject> {
  const file = inRepository('apps', app, from, `${app}.config.${from === 'src' ? 'ts' : 'js'}`);
  const exported = (await import(file)) as Record<string, { schema?: z.ZodObject }>;
  const schema = Object.values(exported).find((value) => value.schema)?.schema;
  if (!schema) throw new Error(`${file} exports no class made by Environment.`);
  return schema;
}
