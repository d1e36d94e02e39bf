import { inRepository } from '../paths.ts';
import { trustOnlyAuthority } from './certificates.ts';
import type { PartsDescription } from './parts-description.ts';
import { type App, hasDatabase, storageKeys } from './names.ts';
import { healthPort, type Ports } from './ports.ts';

type Known = Omit<PartsDescription, 'environments'>;

/** The settings of one app, with the names in its environment schema. */
export function appEnvironment(app: App, parts: Known, ports: Ports): Record<string, string> {
  const { user, pass } = parts.nats.users[app];
  return {
    NODE_ENV: 'production',
    LOG_LEVEL: process.env.LOG_LEVEL || 'info',
    SERVICE_NAME: app,
    NATS_URL: parts.nats.url,
    NATS_USER: user,
    NATS_PASSWORD: pass,
    BIND_ADDRESS: '127.0.0.1',
    HEALTH_PORT: String(healthPort(ports, app)),
    SITE_URL: parts.siteUrl,
    ...(hasDatabase(app) && {
      DATABASE_URL: parts.postgres.urls[app],
    }),
    ...own[app]?.(parts, ports),
    ...(parts.certificates && trustOnlyAuthority(parts.certificates)),
    ...passedThrough(),
  };
}

const own: Partial<Record<App, (parts: Known, ports: Ports) => Record<string, string>>> = {
  gateway: ({ keycloak, minio, hashKey }, ports) => ({
    PORT: String(ports.site),
    OIDC_ISSUER: `${keycloak.publicUrl}/realms/${keycloak.realm}`,
    OIDC_JWKS_URL: `${keycloak.url}/realms/${keycloak.realm}/protocol/openid-connect/certs`,
    OIDC_AUDIENCE: 'stoa-api',
    KEYCLOAK_URL: keycloak.publicUrl,
    KEYCLOAK_REALM: keycloak.realm,
    KEYCLOAK_CLIENT_ID: 'web',
    MEDIA_PUBLIC_URL: `${minio.publicEndpoint}/${minio.buckets.public}`,
    S3_PUBLIC_ENDPOINT: minio.publicEndpoint,
    WEB_ROOT: inRepository('apps/web/dist'),
    HASH_KEY: hashKey,
  }),
  identity: ({ keycloak, mail }) => ({
    KEYCLOAK_URL: keycloak.url,
    KEYCLOAK_REALM: keycloak.realm,
    KEYCLOAK_CLIENT_ID: 'identity',
    KEYCLOAK_CLIENT_SECRET: keycloak.identitySecret,
    SMTP_URL: mail.smtpUrl,
    MAIL_FROM: mail.from,
  }),
  media: ({ minio }) => ({
    S3_ENDPOINT: minio.endpoint,
    S3_PUBLIC_ENDPOINT: minio.publicEndpoint,
    S3_REGION: 'us-east-1',
    ...Object.fromEntries(
      storageKeys.flatMap((name) => [
        [`S3_${name.toUpperCase()}_ACCESS_KEY`, minio.keys[name].accessKey],
        [`S3_${name.toUpperCase()}_SECRET_KEY`, minio.keys[name].secretKey],
      ]),
    ),
    S3_STAGING_BUCKET: minio.buckets.staging,
    S3_PUBLIC_BUCKET: minio.buckets.public,
    S3_FILES_BUCKET: minio.buckets.files,
  }),
  edge: ({ keycloak, minio, edge }, ports) => ({
    SIGN_IN_PORT: String(ports.keycloak),
    MEDIA_PORT: String(ports.minio),
    KEYCLOAK_URL: keycloak.publicUrl,
    KEYCLOAK_INTERNAL_URL: keycloak.url,
    DEVICE_KEY: edge.deviceKey,
    KEYCLOAK_REALM: keycloak.realm,
    S3_ENDPOINT: minio.endpoint,
    S3_PUBLIC_ENDPOINT: minio.publicEndpoint,
    S3_STAGING_BUCKET: minio.buckets.staging,
    S3_PUBLIC_BUCKET: minio.buckets.public,
    S3_FILES_BUCKET: minio.buckets.files,
  }),
  contact: ({ mail, contact }) => ({
    SMTP_URL: mail.smtpUrl,
    MAIL_FROM: mail.from,
    OPERATOR_EMAIL: process.env.OPERATOR_EMAIL || 'operator@stoa.localhost',
    SENDER_KEY: contact.senderKey,
  }),
};

/** Passes on OpenTelemetry's standard variables of this process. */
function passedThrough(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name, value]) => name.startsWith('OTEL_') && value);
  return Object.fromEntries(entries) as Record<string, string>;
}

/**
 * The part of this process's environment that every child needs. Nothing else is passed on, so that secrets
 * do not spread.
 */
export function baseEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'JAVA_HOME', 'NODE_EXTRA_CA_CERTS'];
  return Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
