export { seed } from './seed.ts';
export { Problem, type SeedSettings } from './settings.ts';
