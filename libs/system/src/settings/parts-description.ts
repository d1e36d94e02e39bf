import type { buckets, Database, Service, NatsUser, StorageKey, App } from './names.ts';
import type { Store } from './store.ts';

export interface NatsCredentials {
  user: string;
  pass: string;
  /** The only inbox prefix that the user's permissions allow. */
  inboxPrefix: string;
}

/** Addresses and credentials of the parts, as plain data that can be passed to another process. */
export interface PartsDescription {
  siteUrl: string;
  /** The folder of the parts' certificates, if they use TLS. */
  certificates?: string | undefined;
  postgres: {
    adminUrl: string;
    urls: Record<Database, string>;
    /** The same databases for the role that may change tables. */
    migrationUrls: Record<Service, string>;
    /** For the role that reads Postgres' statistics. */
    metricsUrl: string;
  };
  nats: { url: string; users: Record<NatsUser, NatsCredentials> };
  /** The object store, called `minio` for every kind of store. */
  minio: {
    store: Store;
    endpoint: string;
    publicEndpoint: string;
    root: { accessKey: string; secretKey: string };
    /** The keys of the media service, each for one purpose. */
    keys: Record<StorageKey, { accessKey: string; secretKey: string }>;
    buckets: typeof buckets;
  };
  keycloak: {
    url: string;
    publicUrl: string;
    realm: string;
    setUpSecret: string;
    bootstrapSecret: string;
    identitySecret: string;
  };
  contact: { senderKey: string };
  hashKey: string;
  edge: { deviceKey: string };
  mail: { host: string; smtpPort: number; smtpUrl: string; from: string; url: string };
  environments: Record<App, Record<string, string>>;
}
