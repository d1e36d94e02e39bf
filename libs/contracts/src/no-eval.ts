import { z } from 'zod';

// Before any schema is made: zod would try whether it may compile one from text, which the policy of the site refuses
// and reports for each page.
if ('document' in globalThis) z.config({ jitless: true });
