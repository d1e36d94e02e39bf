/** The five services that own a database and answer on NATS. */
export const services = ['identity', 'creators', 'offerings', 'media', 'contact'] as const;
export type Service = (typeof services)[number];

/** The services that publish events, each from its table `outbox`. */
export const announcingServices = services;

/**
 * Every Node process of the product, in the order of their health ports. `edge` is the proxy of Keycloak and
 * MinIO.
 */
export const apps = ['gateway', ...services, 'edge'] as const;
export type App = (typeof apps)[number];

export const hasDatabase = (app: App): app is Service => (services as readonly App[]).includes(app);

/** The databases; each has an owner of the same name. */
export const databases = [...services, 'keycloak'] as const;
export type Database = (typeof databases)[number];

/** The role that applies the migrations of every service; the services' own users may not. */
export const migrationUser = 'migration';
/** The role that reads Postgres' statistics and no rows. */
export const metricsUser = 'metrics';

/** The users of NATS; `provision` only creates streams and consumers. */
export const natsUsers = [...apps, 'provision'] as const;
export type NatsUser = (typeof natsUsers)[number];

export const partNames = ['postgres', 'nats', 'minio', 'keycloak', 'mail'] as const;
export type PartName = (typeof partNames)[number];

/**
 * The media service's keys for the object store. Upload forms and links contain the ids of the keys that sign
 * them; the key `work` stays private.
 */
export const storageKeys = ['uploads', 'links', 'work'] as const;
export type StorageKey = (typeof storageKeys)[number];

export const buckets = { staging: 'stoa-staging', public: 'stoa-public', files: 'stoa-files' } as const;
