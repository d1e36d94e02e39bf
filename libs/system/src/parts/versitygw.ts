import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ProcessSpec } from '../processes/supervised.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { certificateOf } from '../settings/certificates.ts';
import { baseEnvironment } from '../settings/environment.ts';
import { answersHttp } from './answers.ts';

const health = '/health';

/** How versitygw runs under the supervisor, instead of MinIO and under the name of that part. */
export function versitygwProcess(program: string, folder: string, parts: PartsDescription): ProcessSpec {
  const { endpoint, root } = parts.minio;
  // Stores metadata in a folder next to the objects. By default versitygw uses extended attributes, which
  // some file systems do not support.
  const [accounts, objects, metadata] = ['accounts', 'objects', 'metadata'].map((name) => join(folder, name));
  for (const path of [accounts, objects, metadata]) mkdirSync(path ?? '', { recursive: true, mode: 0o700 });
  const server = ['--port', new URL(endpoint).host, '--health', health];
  // Disables the cache of users, in which a changed secret would stay valid, and the new one unknown, for two
  // minutes.
  const users = ['--iam-dir', accounts ?? '', '--iam-cache-disable'];
  const proof = parts.certificates && certificateOf(parts.certificates, 'minio');
  const tls = proof ? ['--cert', proof.certificate, '--key', proof.key] : [];
  const cors = ['--cors-allow-origin', parts.siteUrl];
  return {
    name: 'minio',
    command: program,
    args: [
      '--quiet',
      ...server,
      ...users,
      ...tls,
      ...cors,
      'posix',
      '--sidecar',
      metadata ?? '',
      objects ?? '',
    ],
    env: { ...baseEnvironment(), ROOT_ACCESS_KEY: root.accessKey, ROOT_SECRET_KEY: root.secretKey },
    ready: () => answersHttp(`${endpoint}${health}`),
  };
}
