import { inRepository } from '../paths.ts';
import { Problem } from '../problem.ts';
import { CommandFailed, run } from '../processes/run.ts';
import type { Reporter } from '../progress.ts';
import { provision } from '../provision/provision.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { partNames, type PartName } from '../settings/names.ts';
import type { Store } from '../settings/store.ts';
import type { Ports } from '../settings/ports.ts';
import type { Secrets } from '../settings/secrets.ts';
import type { AfterPart } from './native.ts';

export interface DockerOptions {
  only: readonly PartName[];
  ports: Ports;
  secrets: Secrets;
  parts: PartsDescription;
  temporary: boolean;
  reporter: Reporter;
  after?: AfterPart;
}

/** Whether parts run in containers: where an engine with Compose answers, unless STOA_PARTS says otherwise. */
export async function usesDocker(environment: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  const wanted = environment.STOA_PARTS;
  if (wanted === 'native') return false;
  if (wanted && wanted !== 'docker') {
    throw new Problem(`STOA_PARTS is "${wanted}": say "native" or "docker", or leave it out.`);
  }
  const answers = await (engine ??= engineAnswers());
  if (wanted === 'docker' && !answers) {
    throw new Problem(
      'STOA_PARTS asks for Docker, but no engine with Compose answers: start Docker, or leave STOA_PARTS out.',
    );
  }
  return answers;
}

// Asked once: tests start many small sets of parts.
let engine: Promise<boolean> | undefined;

async function engineAnswers(): Promise<boolean> {
  try {
    await run('docker', ['compose', 'version']);
    await run('docker', ['info', '--format', '{{.ServerVersion}}']);
    return true;
  } catch (error) {
    if (error instanceof CommandFailed) return false;
    throw error;
  }
}

/** Starts parts from docker-compose.yml, prepares them, and answers how to stop them. */
export async function startDockerParts(options: DockerOptions): Promise<() => Promise<void>> {
  const { only, parts, temporary, reporter } = options;
  const task = reporter.task('Containers', only.join(', '));
  const stop = await (temporary ? startTemporary(options) : startLasting(options));
  try {
    // Keycloak's mail goes from container to container.
    const inside = { ...parts, mail: { ...parts.mail, host: 'mail', smtpPort: 1025 } };
    for (const name of partNames.filter((part) => only.includes(part))) {
      if (name !== 'mail') await provision[name](inside);
      await options.after?.[name]?.(parts);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  task.done();
  return stop;
}

const composeFiles = (store: Store, certificates?: string) => [
  'docker-compose.yml',
  ...(store === 'versitygw' ? ['deploy/versitygw/compose.yaml'] : []),
  ...(certificates ? ['deploy/tls/compose.yaml'] : []),
];

/** The variables that docker-compose.yml reads. */
function composeEnvironment({ ports, secrets, parts }: DockerOptions): Record<string, string> {
  return {
    ...secrets,
    STOA_PORT: String(new URL(parts.siteUrl).port),
    STOA_POSTGRES_PORT: String(ports.postgres),
    STOA_NATS_PORT: String(ports.nats),
    STOA_MINIO_PORT: String(ports.minio),
    STOA_MINIO_INTERNAL_PORT: String(ports.minioInternal),
    STOA_KEYCLOAK_PORT: String(ports.keycloak),
    STOA_KEYCLOAK_INTERNAL_PORT: String(ports.keycloakInternal),
    STOA_SMTP_PORT: String(ports.smtp),
    STOA_MAIL_PORT: String(ports.mail),
    ...(parts.certificates && {
      STOA_CERTIFICATES: parts.certificates,
      STOA_UID: String(process.getuid?.() ?? 1000),
    }),
  };
}

/** The developer's parts: their volumes stay until `npm run reset`. */
async function startLasting(options: DockerOptions): Promise<() => Promise<void>> {
  const env = { ...process.env, ...composeEnvironment(options) };
  const { minio, certificates } = options.parts;
  const files = composeFiles(minio.store, certificates).flatMap((file) => ['--file', inRepository(file)]);
  const compose = (...args: string[]) =>
    run('docker', ['compose', '--project-directory', inRepository(), ...files, ...args], {
      env,
      cwd: inRepository(),
    });
  try {
    await compose('up', '--detach', '--wait', '--quiet-pull', ...options.only);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const port = /(?:Bind for|listen tcp4?) \S*?:(\d+)/.exec(error.output)?.[1];
    throw new Problem(
      port
        ? `Port ${port} is taken by another program: end that program, or choose another port (STOA_…_PORT).`
        : `Docker could not start the parts:\n${error.output}`,
    );
  }
  return async () => {
    await compose('stop', ...options.only);
  };
}

/** Parts of a test run: testcontainers removes them with their volumes, also when the run is killed. */
async function startTemporary(options: DockerOptions): Promise<() => Promise<void>> {
  const { DockerComposeEnvironment, Wait } = await import('testcontainers');
  const { minio, certificates } = options.parts;
  const environment = new DockerComposeEnvironment(inRepository(), composeFiles(minio.store, certificates))
    .withEnvironment({ ...(process.env as Record<string, string>), ...composeEnvironment(options) })
    .withDefaultWaitStrategy(Wait.forHealthCheck())
    .withStartupTimeout(300_000);
  const started = await environment.up([...options.only]);
  return async () => {
    await started.down({ removeVolumes: true });
  };
}

/** Throws the volumes of the developer's parts away. */
export async function removeVolumes(secrets: Secrets): Promise<void> {
  // With every file, so that no store's volume is left.
  const files = composeFiles('versitygw').flatMap((file) => ['--file', inRepository(file)]);
  const args = ['compose', '--project-directory', inRepository(), ...files, 'down', '--volumes'];
  await run('docker', args, { env: { ...process.env, ...secrets }, cwd: inRepository() });
}
