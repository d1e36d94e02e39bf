import { inRepository } from '../paths.ts';
import { Problem } from '../problem.ts';
import { CommandFailed, run } from '../processes/run.ts';
import type { Reporter } from '../progress.ts';
import { provision } from '../provision/provision.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { partNames, type PartName } from '../settings/names.ts';
import type { Ports } from '../settings/ports.ts';
import type { Secrets } from '../settings/secrets.ts';
import {
  type ComposeCall,
  composeCall,
  composeFiles,
  composeServices,
  withNatsConfiguration,
} from './compose.ts';
import { containerControl, containersOfProject } from './container-control.ts';
import type { FaultControl } from './fault-control.ts';
import type { AfterPart } from './native.ts';

export interface DockerOptions {
  only: readonly PartName[];
  ports: Ports;
  secrets: Secrets;
  parts: PartsDescription;
  /** The configuration file of NATS for a test run, if not deploy/nats/nats.conf. */
  natsConfiguration?: string | undefined;
  temporary: boolean;
  reporter: Reporter;
  after?: AfterPart;
  /** Controls the names that are no parts. */
  processes: FaultControl;
}

export interface DockerParts {
  readonly control: FaultControl;
  stop(): Promise<void>;
}

/** Starts the parts of docker-compose.yml, and resolves once each is ready for use. */
export async function startDockerParts(options: DockerOptions): Promise<DockerParts> {
  const { only, ports, secrets, parts, temporary, reporter } = options;
  const task = reporter.task('Containers', only.join(', '));
  const call = composeCall(parts, ports, secrets);
  // Keycloak sends its mail from container to container.
  const inside = { ...parts, mail: { ...parts.mail, host: 'mail', smtpPort: 1025 } };
  const onReady = async (part: PartName) => {
    if (part !== 'mail') await provision[part](inside);
    await options.after?.[part]?.(parts);
  };
  const started = await (temporary
    ? startTemporary(options, call, onReady)
    : startLasting(options, call, onReady));
  task.done();
  return started;
}

type OnReady = (part: PartName) => Promise<void>;

/** The developer's parts, whose volumes stay until `npm run reset`. */
async function startLasting(
  { only, parts, processes }: DockerOptions,
  { args, env }: ComposeCall,
  onReady: OnReady,
): Promise<DockerParts> {
  const compose = (...command: string[]) =>
    run('docker', [...args, ...command], { env, cwd: inRepository() });
  const stop = async () => {
    await compose('stop', ...only);
  };
  try {
    await compose('up', '--detach', '--wait', '--quiet-pull', ...only);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const port = /(?:Bind for|listen tcp4?) \S*?:(\d+)/.exec(error.output)?.[1];
    throw new Problem(
      port
        ? `Port ${port} is taken by another program: end that program, or choose another port (STOA_…_PORT).`
        : `Docker could not start the parts:\n${error.output}`,
    );
  }
  try {
    for (const part of partNames.filter((name) => only.includes(name))) await onReady(part);
  } catch (error) {
    await stop();
    throw error;
  }
  const project = process.env.COMPOSE_PROJECT_NAME || 'stoa';
  return { control: containerControl(containersOfProject(project), parts, processes), stop };
}

/** Parts of a test run. */
async function startTemporary(
  { only, parts, processes, natsConfiguration }: DockerOptions,
  call: ComposeCall,
  onReady: OnReady,
): Promise<DockerParts> {
  const [{ startTemporaryContainers }, described] = await Promise.all([
    import('./temporary-containers.ts'),
    composeServices(call),
  ]);
  const services = natsConfiguration ? withNatsConfiguration(described, natsConfiguration) : described;
  const { find, stop } = await startTemporaryContainers(services, only, parts, onReady);
  return { control: containerControl(find, parts, processes), stop };
}

/** Removes the volumes of the developer's parts. */
export async function removeVolumes(secrets: Secrets): Promise<void> {
  // Names all compose files, so that the volumes of both object stores are removed.
  const args = ['compose', '--project-directory', inRepository(), ...composeFiles('versitygw')];
  await run('docker', [...args, 'down', '--volumes'], {
    env: { ...process.env, ...secrets },
    cwd: inRepository(),
  });
}
