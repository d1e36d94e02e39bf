import { shareParts } from './start-parts.ts';

/** Jest's global setup for tests that also need Keycloak and its mail server. */
export default () => shareParts(['postgres', 'minio', 'keycloak', 'mail']);
