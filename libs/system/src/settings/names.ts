/** The five services that own a database and answer on NATS. */
export const services = ['identity', 'creators', 'offerings', 'media', 'contact'] as const;
export type Service = (typeof services)[number];

/** Those that announce events, each from its table `outbox`. */
export const announcingServices = services;

/** Every Node process of the product, in the order of their health ports; `edge` is the proxy of Keycloak and MinIO. */
export const apps = ['gateway', ...services, 'edge'] as const;
export type App = (typeof apps)[number];

export const hasDatabase = (app: App): app is Service => (services as readonly App[]).includes(app);

/** One database and one owner of the same name each. */
export const databases = [...services, 'keycloak'] as const;
export type Database = (typeof databases)[number];

/** Who applies the migrations of every service's database; the services' own users may not. */
export const migrationUser = 'migration';

/** Who may speak on NATS; `provision` only makes streams. */
export const natsUsers = [...apps, 'provision'] as const;
export type NatsUser = (typeof natsUsers)[number];

export const partNames = ['postgres', 'nats', 'minio', 'keycloak', 'mail'] as const;
export type PartName = (typeof partNames)[number];

/**
 * The keys of the media service to the object store. Those that sign upload forms and links are shown in them; the
 * one that it works with is never shown.
 */
export const storageKeys = ['uploads', 'links', 'work'] as const;
export type StorageKey = (typeof storageKeys)[number];

export const buckets = { staging: 'stoa-staging', public: 'stoa-public', files: 'stoa-files' } as const;
