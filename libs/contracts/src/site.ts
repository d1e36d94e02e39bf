import { z } from 'zod';

/** What the browser must know of the installation it talks to. */
export const SiteConfig = z
  .object({
    keycloak: z
      .object({ url: z.string(), realm: z.string(), clientId: z.string() })
      .describe('The OpenID Connect provider that creators sign in at.'),
    mediaUrl: z.string().describe('Where the paths of pictures begin.'),
  })
  .meta({ id: 'SiteConfig' });
export type SiteConfig = z.infer<typeof SiteConfig>;
