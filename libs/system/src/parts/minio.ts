import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ProcessSpec } from '../processes/supervised.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { certificateOf } from '../settings/certificates.ts';
import { baseEnvironment } from '../settings/environment.ts';
import { answersHttp } from './answers.ts';

/** How MinIO runs under the supervisor. */
export function minioProcess(program: string, folder: string, parts: PartsDescription): ProcessSpec {
  const { endpoint, root } = parts.minio;
  const data = join(folder, 'objects');
  const certificates = join(folder, 'certificates');
  // MinIO uses only TLS if this folder contains a certificate.
  rmSync(certificates, { recursive: true, force: true });
  for (const path of [data, certificates]) mkdirSync(path, { recursive: true });
  if (parts.certificates) {
    const { certificate, key } = certificateOf(parts.certificates, 'minio');
    copyFileSync(certificate, join(certificates, 'public.crt'));
    copyFileSync(key, join(certificates, 'private.key'));
  }
  return {
    name: 'minio',
    command: program,
    args: ['server', '--address', new URL(endpoint).host, '--certs-dir', certificates, data],
    env: {
      ...baseEnvironment(),
      MINIO_ROOT_USER: root.accessKey,
      MINIO_ROOT_PASSWORD: root.secretKey,
      MINIO_API_CORS_ALLOW_ORIGIN: parts.siteUrl,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
    },
    // `/minio/health/ready` succeeds earlier, when MinIO may still overwrite a new bucket policy with an older state.
    ready: () => answersHttp(`${endpoint}/minio/health/cluster`),
  };
}
