import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { keycloakBuildOptions } from '../fetch/keycloak-distribution.ts';
import { inRepository } from '../paths.ts';
import { type ProcessSpec } from '../processes/supervised.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { authorityFile, certificateOf } from '../settings/certificates.ts';
import { baseEnvironment } from '../settings/environment.ts';
import { type Ports } from '../settings/ports.ts';
import { answersHttp } from './answers.ts';

/** How Keycloak runs under the supervisor; deploy/keycloak/README.md gives the reasons. */
export function keycloakProcess(
  distribution: string,
  folder: string,
  parts: PartsDescription,
  ports: Ports,
): ProcessSpec {
  const { hostname, port, pathname, search, username, password } = new URL(parts.postgres.urls.keycloak);
  const { certificates } = parts;
  const authority = certificates ? `&sslrootcert=${authorityFile(certificates)}` : '';
  return {
    name: 'keycloak',
    command: join(distribution, 'bin/kc.sh'),
    args: ['start', '--optimized', `-Dkc.home.dir=${makeHome(distribution, folder)}`],
    cwd: folder,
    env: {
      ...baseEnvironment(),
      ...keycloakBuildOptions,
      KC_DB_URL: `jdbc:postgresql://${hostname}:${port}${pathname}${search}${authority}`,
      KC_DB_USERNAME: username,
      KC_DB_PASSWORD: password,
      KC_HTTP_HOST: '127.0.0.1',
      ...listener(certificates, String(ports.keycloakInternal)),
      KC_HTTP_MANAGEMENT_HOST: '127.0.0.1',
      // Serves the health checks by HTTP, because only this machine can reach them.
      KC_HTTP_MANAGEMENT_SCHEME: 'http',
      KC_HTTP_MANAGEMENT_PORT: String(ports.keycloakHealth),
      KC_HOSTNAME: parts.keycloak.publicUrl,
      // The consoles have their own address, because the edge does not forward to them.
      KC_HOSTNAME_ADMIN: parts.keycloak.url.replace('127.0.0.1', 'localhost'),
      // Only the edge sets X-Forwarded headers; nothing else reaches this port.
      KC_PROXY_HEADERS: 'xforwarded',
      KC_CACHE: 'local',
      KC_LOG_LEVEL: 'info,io.smallrye.health:error',
      KC_SPI_THEME__FOLDER__DIR: inRepository('deploy/keycloak/themes'),
      KC_SPI_PASSWORD_POLICY__PASSWORD_BLACKLIST__BLACKLISTS_PATH: inRepository(
        'deploy/keycloak/password-blacklists',
      ),
      // Failed log-ins by an attacker must not fill the owner's mailbox.
      KC_SPI_EVENTS_LISTENER__EMAIL__EXCLUDE_EVENTS: 'LOGIN_ERROR',
      ...(process.env.STOA_THEME_EDITING && {
        KC_SPI_THEME__CACHE_THEMES: 'false',
        KC_SPI_THEME__CACHE_TEMPLATES: 'false',
        KC_SPI_THEME__STATIC_MAX_AGE: '-1',
      }),
      // Keycloak reads this client only with an empty database; set-up removes it.
      KC_BOOTSTRAP_ADMIN_CLIENT_ID: 'bootstrap',
      KC_BOOTSTRAP_ADMIN_CLIENT_SECRET: parts.keycloak.bootstrapSecret,
      JAVA_OPTS_APPEND: `-Xmx512m -XX:TieredStopAtLevel=1 '-Djava.io.tmpdir=${join(folder, 'tmp')}'`,
    },
    readyWithinMs: 300_000,
    ready: () => answersHttp(`http://127.0.0.1:${ports.keycloakHealth}/health/ready`),
  };
}

function listener(certificates: string | undefined, port: string): Record<string, string> {
  if (!certificates) return { KC_HTTP_ENABLED: 'true', KC_HTTP_PORT: port };
  const { certificate, key } = certificateOf(certificates, 'keycloak');
  return {
    KC_HTTP_ENABLED: 'false',
    KC_HTTPS_PORT: port,
    KC_HTTPS_CERTIFICATE_FILE: certificate,
    KC_HTTPS_CERTIFICATE_KEY_FILE: key,
  };
}

/** A home folder of links: the fetched distribution is never modified, and each server writes to its own folder. */
function makeHome(distribution: string, folder: string): string {
  for (const name of ['data', 'tmp']) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['bin', 'conf', 'lib', 'providers']) {
    const link = join(folder, name);
    rmSync(link, { force: true });
    if (existsSync(join(distribution, name))) symlinkSync(join(distribution, name), link);
  }
  return folder;
}
