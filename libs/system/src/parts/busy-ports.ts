import { Problem } from '../problem.ts';
import { apps, type App, type PartName } from '../settings/names.ts';
import { healthPort, isFree, variableOf, type PortName, type Ports } from '../settings/ports.ts';

const portsOf: Record<PartName, [PortName, string][]> = {
  postgres: [['postgres', 'Postgres']],
  nats: [['nats', 'NATS']],
  minio: [['minioInternal', 'the object store']],
  keycloak: [
    ['keycloakInternal', 'Keycloak'],
    ['keycloakHealth', "Keycloak's health checks"],
  ],
  mail: [
    ['smtp', 'the mail catcher'],
    ['mail', "the mail catcher's pages"],
  ],
};

/** @throws Problem when the port of a part is occupied. */
export async function requireFreePorts(ports: Ports, only: readonly PartName[]): Promise<void> {
  for (const [name, what] of only.flatMap((part) => portsOf[part]))
    await requireFree(what, name, ports[name]);
}

/** @throws Problem when the port of the trace viewer's pages is occupied. */
export const requireFreeViewerPort = (ports: Ports): Promise<void> =>
  requireFree('the trace viewer', 'traces', ports.traces);

/** @throws Problem when a public port or a health port of the apps is occupied. */
export async function requireFreeAppPorts(ports: Ports): Promise<void> {
  await requireFree('the site', 'site', ports.site);
  await requireFree('signing in', 'keycloak', ports.keycloak);
  await requireFree('pictures and files', 'minio', ports.minio);
  for (const app of apps)
    await requireFree(`health checks of ${app satisfies App}`, 'health', healthPort(ports, app));
}

/** @throws Problem when the port of the gateway behind the development server is occupied. */
export const requireFreeGatewayPort = (ports: Ports): Promise<void> =>
  requireFree('the gateway', 'gateway', ports.gateway);

async function requireFree(what: string, name: PortName, port: number): Promise<void> {
  if (await isFree(port)) return;
  throw new Problem(
    `Port ${port}, needed for ${what}, is taken by another program: end that program, or choose another port with ${variableOf(name)}.`,
  );
}
