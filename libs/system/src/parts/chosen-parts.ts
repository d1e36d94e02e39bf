import { Problem } from '../problem.ts';
import { CommandFailed, run } from '../processes/run.ts';

/**
 * Whether the parts (Postgres, NATS, Keycloak, MinIO and others) run as processes or in containers on this
 * machine, and why.
 */
export interface PartsChoice {
  readonly kind: 'native' | 'docker';
  readonly reason: string;
}

/**
 * Containers if a Docker engine with Compose answers, else processes, unless STOA_PARTS selects one of them.
 *
 * @throws Problem where STOA_PARTS has an unknown value, or selects an engine that does not answer.
 */
export async function chosenParts(environment: NodeJS.ProcessEnv = process.env): Promise<PartsChoice> {
  const wanted = environment.STOA_PARTS;
  if (wanted === 'native') return { kind: 'native', reason: 'STOA_PARTS is native' };
  if (wanted && wanted !== 'docker')
    throw new Problem(`STOA_PARTS is "${wanted}": set "native" or "docker", or leave it out.`);
  const { version, missing } = await (engine ??= detectEngine());
  if (wanted === 'docker') {
    if (missing)
      throw new Problem(`STOA_PARTS asks for Docker, but ${missing}: start Docker, or leave STOA_PARTS out.`);
    return { kind: 'docker', reason: 'STOA_PARTS is docker' };
  }
  return missing
    ? { kind: 'native', reason: missing }
    : { kind: 'docker', reason: `Docker ${version} with Compose answers` };
}

export const usesDocker = async (environment?: NodeJS.ProcessEnv): Promise<boolean> =>
  (await chosenParts(environment)).kind === 'docker';

/** The sentence about the choice, for users. */
export const describeChoice = ({ kind, reason }: PartsChoice): string =>
  `The parts run ${kind === 'docker' ? 'in containers' : 'as processes'}: ${reason}.`;

interface Engine {
  readonly version?: string;
  /** Why no engine is usable. */
  readonly missing?: string;
}

// Queries Docker once per process, because tests start many small sets of parts.
let engine: Promise<Engine> | undefined;

async function detectEngine(): Promise<Engine> {
  const version = await answerOf('info', '--format', '{{.ServerVersion}}');
  if (version === undefined) return { missing: 'no Docker engine answers' };
  const compose = await answerOf('compose', 'version', '--short');
  return compose === undefined ? { missing: `Docker ${version} has no Compose` } : { version };
}

async function answerOf(...args: string[]): Promise<string | undefined> {
  try {
    // The output may include warnings of Docker besides the version.
    return /^v?(\d\S*)$/m.exec(await run('docker', args))?.[1];
  } catch (error) {
    if (error instanceof CommandFailed) return undefined;
    throw error;
  }
}
