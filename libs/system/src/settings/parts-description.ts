import type { buckets, Database, Service, NatsUser, StorageKey, App } from './names.ts';
import type { RequestKeys } from './request-keys.ts';
import type { Store } from './store.ts';

export interface NatsCredentials {
  user: string;
  pass: string;
  /** Permissions allow each user this inbox only. */
  inboxPrefix: string;
}

/** Where the parts are and how to reach them: plain data, so that it can be handed to another process. */
export interface PartsDescription {
  siteUrl: string;
  /** Where the parts' certificates lie, when they speak TLS. */
  certificates?: string | undefined;
  postgres: {
    adminUrl: string;
    urls: Record<Database, string>;
    /** The same databases for who may change their tables. */
    migrationUrls: Record<Service, string>;
  };
  nats: { url: string; users: Record<NatsUser, NatsCredentials> };
  /** The object store; the part keeps this name whichever store it is. */
  minio: {
    store: Store;
    endpoint: string;
    publicEndpoint: string;
    root: { accessKey: string; secretKey: string };
    /** Of the media service, each for one purpose. */
    keys: Record<StorageKey, { accessKey: string; secretKey: string }>;
    /** Access keys that set-up removes. */
    formerKeys: string[];
    buckets: typeof buckets;
  };
  keycloak: {
    url: string;
    publicUrl: string;
    realm: string;
    setUpSecret: string;
    bootstrapSecret: string;
    /** Where the installation began with a user `admin`. */
    formerAdminPassword?: string | undefined;
    identitySecret: string;
  };
  contact: { senderKey: string };
  hashKey: string;
  /** With what the gateway signs requests, and with what services verify them. */
  requestKeys: RequestKeys;
  edge: { deviceKey: string };
  mail: { host: string; smtpPort: number; smtpUrl: string; from: string; url: string };
  environments: Record<App, Record<string, string>>;
}
