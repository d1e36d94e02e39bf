import { z } from 'zod';

/** What the browser must know of the installation it talks to. */
export const SiteConfig = z
  .object({
    keycloak: z.object({ url: z.string(), realm: z.string(), clientId: z.string() }),
    mediaUrl: z.string(),
  })
  .meta({ id: 'SiteConfig' });
export type SiteConfig = z.infer<typeof SiteConfig>;
