import { GenericContainer, Network, type StartedTestContainer, type WaitStrategy } from 'testcontainers';
import { partNames, type PartName } from '../settings/names.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import type { ComposeService, ComposeServices } from './compose.ts';
import { type Container, endOf, type FindContainer } from './container-control.ts';
import { untilReady } from './readiness.ts';

/** Containers of a test run. Testcontainers removes them with their volumes, even after a killed run. */
export interface TemporaryContainers {
  readonly find: FindContainer;
  stop(): Promise<void>;
}

/**
 * Starts parts as docker-compose.yml describes them, each once its dependencies are ready.
 *
 * @param onReady Called for each part once it answers.
 */
export async function startTemporaryContainers(
  services: ComposeServices,
  only: readonly PartName[],
  parts: PartsDescription,
  onReady: (part: PartName) => Promise<void>,
): Promise<TemporaryContainers> {
  // Creates a network only for Keycloak, the one part that connects to others: Postgres and the mail catcher.
  const network = only.includes('keycloak') ? await new Network().start() : undefined;
  const started = new Map<PartName, Promise<StartedTestContainer>>();
  const containers = new Map<PartName, Container>();
  const start = async (part: PartName) => {
    const prepared = new PartContainer(services[part]).withWaitStrategy(
      answering(part, parts, (container) => containers.set(part, container)),
    );
    if (network) prepared.withNetwork(network).withNetworkAliases(part);
    if (part === 'keycloak') await started.get('postgres');
    return prepared.start();
  };
  const stop = async () => {
    const all = await Promise.allSettled(started.values());
    await Promise.all(all.map((one) => one.status === 'fulfilled' && one.value.stop()));
    await network?.stop();
  };
  // Starts Postgres before Keycloak, which reads the start of Postgres from the map.
  for (const part of partNames) if (only.includes(part)) started.set(part, start(part));
  const all = [...started].map(([part, done]) => done.then(() => onReady(part)));
  try {
    await Promise.all(all);
  } catch (error) {
    await Promise.allSettled(all);
    await stop();
    throw error;
  }
  return { find: async (part) => containers.get(part), stop };
}

/** A container by its service in docker-compose.yml. */
class PartContainer extends GenericContainer {
  constructor(service: ComposeService) {
    super(service.image);
    const { entrypoint, command, environment, user, security_opt, stop_signal, volumes, ports } = service;
    if (entrypoint) this.withEntrypoint([...entrypoint]);
    if (command) this.withCommand([...command]);
    if (user) this.withUser(user);
    if (security_opt) this.withSecurityOpt(...security_opt);
    if (stop_signal) this.createOpts.StopSignal = stop_signal;
    this.withEnvironment(environment ?? {});
    // Volumes are anonymous ones of the image, which are removed with the container.
    this.withBindMounts(
      (volumes ?? [])
        .filter(({ type }) => type === 'bind')
        .map(({ source, target }) => ({ source, target, mode: 'ro' as const })),
    );
    for (const { target, published } of ports ?? [])
      this.withExposedPorts({ container: target, host: Number(published) });
    // As in docker-compose.yml: other machines cannot reach the parts of a test.
    const bound = Object.entries(this.hostConfig.PortBindings as Record<string, { HostPort: string }[]>);
    this.hostConfig.PortBindings = Object.fromEntries(
      bound.map(([port, to]) => [port, to.map((one) => ({ ...one, HostIp: '127.0.0.1' }))]),
    );
  }
}

/** Waits until a part answers its users; the engine's own health checks begin seconds after the start. */
function answering(
  part: PartName,
  parts: PartsDescription,
  onStarted: (container: Container) => void,
): WaitStrategy {
  const strategy: WaitStrategy = {
    async waitUntilReady(container) {
      onStarted(container);
      await untilReady(part, parts, () => endOf(container, part));
    },
    withStartupTimeout: () => strategy,
    isStartupTimeoutSet: () => true,
    getStartupTimeout: () => 0,
  };
  return strategy;
}
