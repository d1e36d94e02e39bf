export { startNats, startParts, handlesOn } from './parts/start-parts.ts';
export type { Parts, PartsHandles, StartPartsOptions } from './parts/start-parts.ts';
export type { NatsCredentials, PartsDescription } from './settings/description.ts';
export type { App, Database, NatsUser, PartName, Service } from './settings/names.ts';
export { Problem } from './problem.ts';
export { startSystem, type StartSystemOptions, type System } from './apps/start-system.ts';
export type { ControlAddress } from './testing/control-server.ts';
export { cached, cachedPath } from './fetch/cache.ts';
export { plainReporter } from './progress.ts';
