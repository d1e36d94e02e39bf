import { inRepository } from '@stoa/system';
import { readFileSync } from 'node:fs';

/** The operations of the API, written like the gateway's routes. */
export function operations(): string[] {
  const { paths } = JSON.parse(readFileSync(inRepository('apps/gateway/openapi.json'), 'utf8')) as {
    paths: Record<string, object>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
}
