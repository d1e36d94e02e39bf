import { shareParts } from './start-parts.ts';

/** Vitest's global setup for tests that also need Keycloak and where it sends its mail. */
export default () => shareParts(['postgres', 'keycloak', 'mail']);
