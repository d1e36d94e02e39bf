import { join } from 'node:path';
import { keycloakFolder } from '../fetch/keycloak-distribution.ts';
import { run } from '../processes/run.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { freePorts, type Ports } from '../settings/ports.ts';
import { keycloakProcess } from './keycloak.ts';

/** Creates a user or a client with a second Keycloak process beside the running one. The next set-up removes it. */
export async function bootstrapAdmin(
  dir: string,
  parts: PartsDescription,
  made: { user: string } | { client: string },
  secret: string,
): Promise<void> {
  const ports: Ports = await freePorts();
  const { command, args, cwd, env } = keycloakProcess(keycloakFolder, join(dir, 'bootstrap'), parts, ports);
  const [kind, name] = 'user' in made ? ['user', made.user] : ['service', made.client];
  const named =
    kind === 'user' ? ['--username', name, '--password:env'] : ['--client-id', name, '--client-secret:env'];
  await run(command, ['bootstrap-admin', kind, ...args.slice(1), ...named, 'ADMIN_SECRET'], {
    cwd,
    env: { ...env, ADMIN_SECRET: secret },
  });
}
