import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import shared from './vitest.shared.ts';

const setup = new URL('libs/testing/src/start-parts-with-keycloak.ts', import.meta.url);

/** For tests through the contract of what is about accounts: the real Keycloak is among the parts. */
export default mergeConfig(shared, defineConfig({ test: { globalSetup: fileURLToPath(setup) } }));
