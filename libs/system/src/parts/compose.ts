import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inRepository } from '../paths.ts';
import type { PartName } from '../settings/names.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import type { Ports } from '../settings/ports.ts';
import type { Secrets } from '../settings/secrets.ts';
import type { Store } from '../settings/store.ts';

/** The service of a part in docker-compose.yml, as far as tests use it. */
export interface ComposeService {
  readonly image: string;
  readonly entrypoint?: readonly string[] | null;
  readonly command?: readonly string[] | null;
  readonly environment?: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly security_opt?: readonly string[];
  readonly stop_signal?: string;
  readonly volumes?: readonly { type: string; source: string; target: string }[];
  readonly ports?: readonly { target: number; published: string }[];
}

export type ComposeServices = Readonly<Record<PartName, ComposeService>>;

/** The services with another configuration file of NATS. */
export function withNatsConfiguration(services: ComposeServices, file: string): ComposeServices {
  const volumes = services.nats.volumes?.map((volume) =>
    volume.target === '/etc/nats/nats.conf' ? { ...volume, source: file } : volume,
  );
  return { ...services, nats: { ...services.nats, ...(volumes && { volumes }) } };
}

/** The command line and environment of `docker compose` for one set of parts. */
export interface ComposeCall {
  /** The arguments before the subcommand. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** The files of docker compose for this store, and for TLS if there are certificates. */
export const composeFiles = (store: Store, certificates?: string): string[] =>
  [
    'docker-compose.yml',
    ...(store === 'versitygw' ? ['deploy/versitygw/compose.yaml'] : []),
    ...(certificates ? ['deploy/tls/compose.yaml'] : []),
  ].flatMap((file) => ['--file', inRepository(file)]);

/** `docker compose` for these parts: its files, and the variables that they read. */
export function composeCall(parts: PartsDescription, ports: Ports, secrets: Secrets): ComposeCall {
  const { minio, certificates, siteUrl } = parts;
  return {
    args: ['compose', '--project-directory', inRepository(), ...composeFiles(minio.store, certificates)],
    env: {
      ...process.env,
      ...secrets,
      STOA_PORT: String(new URL(siteUrl).port),
      STOA_POSTGRES_PORT: String(ports.postgres),
      STOA_NATS_PORT: String(ports.nats),
      STOA_MINIO_PORT: String(ports.minio),
      STOA_MINIO_INTERNAL_PORT: String(ports.minioInternal),
      STOA_KEYCLOAK_PORT: String(ports.keycloak),
      STOA_KEYCLOAK_INTERNAL_PORT: String(ports.keycloakInternal),
      STOA_SMTP_PORT: String(ports.smtp),
      STOA_MAIL_PORT: String(ports.mail),
      ...(certificates && {
        STOA_CERTIFICATES: certificates,
        STOA_UID: String(process.getuid?.() ?? 1000),
      }),
    },
  };
}

/** The services as Compose resolves its files and variables. */
export async function composeServices({ args, env }: ComposeCall): Promise<ComposeServices> {
  const options = { env, cwd: inRepository(), maxBuffer: 16 * 1024 * 1024 };
  // Reads only stdout, because warnings go to stderr.
  const { stdout } = await promisify(execFile)('docker', [...args, 'config', '--format', 'json'], options);
  // Compose escapes each dollar sign, because one would begin a variable.
  const { services } = JSON.parse(stdout.replaceAll('$$', '$')) as { services: ComposeServices };
  return services;
}
