import { readFileSync } from 'node:fs';
import { inRepository } from '../paths.ts';

/** The pinned version of a part: its image, and its source for the native path. */
interface Pin {
  /** Without a leading `v`. */
  version: string;
  image?: string;
  /** The first version without a known advisory of severity high or critical. */
  safeFrom?: string;
  /** Ids of the advisories that have been reviewed. */
  advisories?: string[];
  /** The reason to keep the pinned version although one of its advisories applies. */
  known?: string;
  /** The part's name in the OSV database. */
  osv: { ecosystem: string; name: string };
}
interface GoPin extends Pin {
  module: string;
  oldest: string;
}
interface MavenPin extends Pin {
  artifact: string;
}

interface Versions
  extends
    Record<'nats' | 'minio' | 'versitygw' | 'kustomize' | 'toxiproxy', GoPin>,
    Record<'keycloak' | 'zipkin', MavenPin>,
    Record<'node' | 'mail' | 'jaeger' | 'prometheus' | 'grafana', Pin>,
    Record<'mavenDependencyPlugin' | 'java' | 'maven' | 'go', string> {
  /** The date of the last manual review of advisories. */
  checked: string;
  collector: Pin & { builder: string };
  gatewayApi: Pin & { module: string };
  /** Operators whose custom resources k8s/ uses; tests validate these resources against their definitions. */
  operators: Record<
    'barmanCloud' | 'prometheus' | 'keda' | 'externalSecrets' | 'argoCd' | 'fluxKustomize' | 'fluxSource',
    { version: string; module: string }
  >;
  postgres: Pin & { operatorImage: string; npm: string };
  keycloak: MavenPin & { theme: { parent: string; derivedFrom: string } };
}

/**
 * The single version of every image, program and theme, for containers and the native path. The command line
 * reads the same file before any package is installed.
 */
export const pins = JSON.parse(readFileSync(inRepository('deploy/versions.json'), 'utf8')) as Versions;

/** The pinned parts by name. */
export const pinned: ReadonlyMap<string, Pin> = new Map(
  Object.entries(pins).filter(
    (entry): entry is [string, Pin] => typeof entry[1] === 'object' && 'version' in entry[1],
  ),
);

/** The image of a part with its tag. @throws Error if the part has no image. */
export function imageOf(name: string): string {
  const { image, version } = pinned.get(name) ?? {};
  if (!image || !version) throw new Error(`deploy/versions.json has no image of ${name}.`);
  return image.replace('{version}', version);
}
