import { mkdirSync } from 'node:fs';
import { inRepository } from '../paths.ts';
import { type ProcessSpec } from '../processes/supervised.ts';
import { certificateOf } from '../settings/certificates.ts';
import { baseEnvironment } from '../settings/environment.ts';
import { natsUsers } from '../settings/names.ts';
import { natsPassword, type Secrets } from '../settings/secrets.ts';
import { greetsAsNats } from './answers.ts';

export interface NatsOptions {
  program: string;
  folder: string;
  /** The configuration file, if not deploy/nats/nats.conf. */
  configuration?: string | undefined;
  secrets: Secrets;
  certificates?: string | undefined;
}

/** The command line and environment of the server. */
function natsCommand(options: NatsOptions, port: number) {
  const {
    program,
    folder,
    secrets,
    certificates,
    configuration = inRepository('deploy/nats/nats.conf'),
  } = options;
  mkdirSync(folder, { recursive: true });
  const passwords = natsUsers.map((user) => [
    `NATS_${user.toUpperCase()}_PASSWORD`,
    natsPassword(secrets, user),
  ]);
  const proof = certificates && certificateOf(certificates, 'nats');
  return {
    command: 'sh',
    args: [
      ...[inRepository('deploy/nats/start.sh'), folder, program],
      ...['-c', configuration, '-a', '127.0.0.1', '-p', String(port), '-sd', folder],
      ...(proof ? ['--tls', '--tlscert', proof.certificate, '--tlskey', proof.key] : []),
    ],
    env: { ...baseEnvironment(), ...(Object.fromEntries(passwords) as Record<string, string>) },
  };
}

/** How NATS runs under the supervisor. */
export function natsProcess(options: NatsOptions, port: number): ProcessSpec {
  return { name: 'nats', ...natsCommand(options, port), ready: () => greetsAsNats(port) };
}
