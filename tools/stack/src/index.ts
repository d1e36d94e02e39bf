export { startParts, type Parts, type StartPartsOptions } from './parts/start-parts.ts';
export type { NatsCredentials, PartsDescription } from './settings/description.ts';
export type { App, Database, NatsUser, PartName, Service } from './settings/names.ts';
export { Problem } from './problem.ts';
