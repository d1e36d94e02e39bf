import { shareParts } from './start-parts.ts';

/** Jest's global setup for tests that also need Keycloak and where it sends its mail. */
export default () => shareParts(['postgres', 'minio', 'keycloak', 'mail']);
