/** What is fetched without Docker, in exactly which version. docker-compose.yml pins the images. */
export const pins = {
  nats: { module: 'github.com/nats-io/nats-server/v2', version: 'v2.15.2', oldest: '2.15.2' },
  // The last commit of the community edition.
  minio: {
    module: 'github.com/minio/minio',
    version: 'v0.0.0-20260212201848-7aac2a2c5b7c',
    // The first with the fix of GHSA-jjjj-jwhf-8rgr; of it there is a source and no image.
    oldest: '2025-10-15',
  },
  // Built only where STOA_STORE asks for it.
  versitygw: { module: 'github.com/versity/versitygw/cmd/versitygw', version: 'v1.8.0', oldest: '1.8' },
  // What `kubectl kustomize` of today runs; it draws the overlays of k8s/ for the tests.
  kustomize: { module: 'sigs.k8s.io/kustomize/kustomize/v5', version: 'v5.7.1', oldest: '5.7' },
  keycloak: { artifact: 'org.keycloak:keycloak-quarkus-dist', version: '26.7.3' },
  // The image of docker-compose.yml is of the same release; deploy/otel/builder.yaml names its parts.
  collector: { builder: 'go.opentelemetry.io/collector/cmd/builder', version: 'v0.160.0' },
  zipkin: { artifact: 'io.zipkin:zipkin-server', version: '3.5.1' },
  mavenDependencyPlugin: 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1',
  java: '17',
  maven: '3.6',
  go: '1.24',
} as const;
