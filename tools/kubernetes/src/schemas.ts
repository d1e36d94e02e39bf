import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiServer } from './api-server.ts';

interface Schema {
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}

/** kubeconform's pattern for the schema of a kind in `folder`. */
export const schemaLocation = (folder: string): string =>
  join(folder, '{{ .ResourceKind }}{{ .KindSuffix }}.json');

/**
 * Writes a JSON schema for every kind of these group versions from the API server's own description. This
 * needs no external schemas, and treats custom resources like built-in ones.
 */
export async function writeSchemas(server: ApiServer, versions: readonly string[]): Promise<string> {
  const folder = join(server.dir, 'schemas');
  mkdirSync(folder, { recursive: true });
  for (const version of versions) {
    const path = version.includes('/') ? `apis/${version}` : `api/${version}`;
    const text = await server.kubectl('get', '--raw', `/openapi/v3/${path}`);
    const { components } = JSON.parse(text) as { components: { schemas: Record<string, Schema> } };
    const definitions = strict(components.schemas) as Record<string, Schema>;
    for (const [name, schema] of Object.entries(components.schemas))
      for (const { group, version: ofKind, kind } of schema['x-kubernetes-group-version-kind'] ?? []) {
        if ([group, ofKind].filter(Boolean).join('/') !== version) continue;
        const suffix = [group.split('.')[0], ofKind].filter(Boolean).join('-');
        const document = { $ref: `#/definitions/${name}`, definitions };
        writeFileSync(join(folder, `${kind.toLowerCase()}-${suffix}.json`), JSON.stringify(document));
      }
  }
  return folder;
}

/** The same schemas as a document in which an undescribed field is an error. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== 'object' || value === null) return value;
  const result = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' ? String(inner).replace('#/components/schemas/', '#/definitions/') : strict(inner),
    ]),
  );
  const describesFields = typeof result['properties'] === 'object' && result['type'] === 'object';
  if (describesFields && !('x-kubernetes-preserve-unknown-fields' in result))
    result['additionalProperties'] ??= false;
  return result;
}
