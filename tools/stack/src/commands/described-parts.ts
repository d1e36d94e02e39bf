import { stateFolder } from '@stoa/system/paths';
import { wantsTls } from '@stoa/system/settings/certificates';
import { describeParts } from '@stoa/system/settings/description';
import type { PartsDescription } from '@stoa/system/settings/parts-description';
import { defaultPorts } from '@stoa/system/settings/ports';
import { loadSecrets, secretNames, type Secrets } from '@stoa/system/settings/secrets';
import { setUpSettings } from '@stoa/system/settings/set-up-settings';
import { join } from 'node:path';

/** The parts that environment variables describe, or those of `npm start`. */
export const describedParts = (): PartsDescription =>
  process.env.NATS_PROVISION_PASSWORD ? externalParts(process.env) : localParts();

/** The parts that `npm start` runs on this machine. */
export function localParts(): PartsDescription {
  const certificates = wantsTls() ? join(stateFolder, 'certificates') : undefined;
  const secrets = loadSecrets(join(stateFolder, 'secrets.env'));
  return describeParts(defaultPorts(), secrets, undefined, undefined, certificates);
}

/**
 * Parts that run elsewhere. In docker compose and Kubernetes their names are their default addresses;
 * variables override them. The secrets are variables.
 */
export function externalParts(env: NodeJS.ProcessEnv): PartsDescription {
  const secrets: Secrets = Object.fromEntries(secretNames.map((name) => [name, env[name] ?? '']));
  const settings = setUpSettings(env);
  const parts = describeParts(defaultPorts(), secrets, {
    postgres: settings.POSTGRES_ADDRESS,
    nats: 'nats:4222',
    minio: 'minio:9000',
    keycloak: 'keycloak:8080',
    smtp: 'mail:1025',
    mail: 'mail:8025',
  });
  const withOptions = (url: string) => `${url}${settings.POSTGRES_OPTIONS}`;
  const { adminUrl, urls, migrationUrls, metricsUrl } = parts.postgres;
  const allWithOptions = <T extends Record<string, string>>(all: T) =>
    Object.fromEntries(Object.entries(all).map(([name, url]) => [name, withOptions(url)])) as T;
  return {
    ...parts,
    postgres: {
      adminUrl: withOptions(adminUrl),
      urls: allWithOptions(urls),
      migrationUrls: allWithOptions(migrationUrls),
      metricsUrl: withOptions(metricsUrl),
    },
    nats: { ...parts.nats, url: settings.NATS_URL },
    minio: { ...parts.minio, endpoint: settings.S3_ENDPOINT },
    keycloak: { ...parts.keycloak, url: settings.KEYCLOAK_INTERNAL_URL },
  };
}
