import { readFileSync } from 'node:fs';

interface GoPin {
  module: string;
  version: string;
  oldest: string;
}
interface MavenPin {
  artifact: string;
  version: string;
}
type Pins = Record<'nats' | 'minio' | 'versitygw' | 'kustomize' | 'toxiproxy', GoPin> &
  Record<'keycloak' | 'zipkin', MavenPin> &
  Record<'mavenDependencyPlugin' | 'java' | 'maven' | 'go', string> & {
    collector: { builder: string; version: string };
  };

/**
 * What is fetched without Docker, in exactly which version; docker-compose.yml pins the images. The command line reads the
 * same file before any package is installed.
 */
export const pins = JSON.parse(readFileSync(new URL('pins.json', import.meta.url), 'utf8')) as Pins;
