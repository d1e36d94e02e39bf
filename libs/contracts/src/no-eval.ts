import { z } from 'zod';

// Runs before the first schema exists. Otherwise zod tests whether `eval` works, and each page would report a violation of
// the Content-Security-Policy.
if ('document' in globalThis) z.config({ jitless: true });
