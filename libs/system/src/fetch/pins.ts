import { readFileSync } from 'node:fs';
import { inRepository } from '../paths.ts';

/** One part, in one version: the image that containers run, and where the native path gets the same program. */
interface Pin {
  /** Without a leading `v`. */
  version: string;
  /** With `{version}` where the tag names it. */
  image?: string;
  /** The first version without an advisory of severity high or critical that is known. */
  safeFrom?: string;
  /** Advisories that were looked at, by id. */
  advisories?: string[];
  /** Why the pin stays although one of its advisories applies. */
  known?: string;
  /** What OSV calls the part. */
  osv?: { ecosystem: string; name: string };
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
  /** The day on which the advisories were last compared by hand. */
  checked: string;
  collector: Pin & { builder: string };
  gatewayApi: Pin & { module: string };
  postgres: Pin & { operatorImage: string; npm: string };
  keycloak: MavenPin & { theme: { parent: string; derivedFrom: string } };
}

/**
 * Every image, program and theme in exactly one version, for containers and for the native path alike. The command line
 * reads the same file before any package is installed.
 */
export const pins = JSON.parse(readFileSync(inRepository('deploy/versions.json'), 'utf8')) as Versions;

/** The parts that are pinned, by name. */
export const pinned: ReadonlyMap<string, Pin> = new Map(
  Object.entries(pins).filter((entry): entry is [string, Pin] => typeof entry[1] === 'object'),
);

/** The image of a part with its tag. @throws Error for a part without an image. */
export function imageOf(name: string): string {
  const { image, version } = pinned.get(name) ?? {};
  if (!image || !version) throw new Error(`deploy/versions.json names no image of ${name}.`);
  return image.replace('{version}', version);
}
