import { z } from 'zod';

/** The configuration of the installation for browsers. */
export const SiteConfig = z
  .object({
    keycloak: z
      .object({ url: z.string(), realm: z.string(), clientId: z.string() })
      .describe('The OpenID Connect provider for the log-in of creators.'),
    mediaUrl: z.string().describe('The base URL of pictures.'),
  })
  .meta({ id: 'SiteConfig' });
export type SiteConfig = z.infer<typeof SiteConfig>;
