import type { SiteConfig } from '@stoa/contracts';
import type { FlowSettings } from '@stoa/realm';
import { creators } from './creators.ts';
import { seedCreator } from './seed-creator.ts';
import { seedOperator } from './seed-operator.ts';
import { Problem, type SeedSettings } from './settings.ts';
import { SiteClient } from './site.client.ts';

const atOnce = 3;

/**
 * Creates the sample creators through the public API. Another run adds what is missing and changes nothing
 * else.
 */
export async function seed(settings: SeedSettings): Promise<void> {
  const { siteUrl, issuer, password, count, log = () => undefined } = settings;
  const began = performance.now();
  const site = new SiteClient(siteUrl);
  const { keycloak } = await reach(site, siteUrl);
  const flow: FlowSettings = {
    issuer: issuer ?? `${keycloak.url}/realms/${keycloak.realm}`,
    clientId: keycloak.clientId,
    redirectUri: `${siteUrl}/auth/callback`,
  };

  const chosen = creators.slice(0, count);
  const waiting = [...chosen];
  let done = 0;
  let changed = 0;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const fresh = await seedCreator(site, flow, next, password);
      done += 1;
      if (fresh) changed += 1;
      const place = `[${String(done).padStart(String(chosen.length).length)}/${chosen.length}]`;
      log(
        `${place} ${next.displayName} — ${next.offerings.length} offerings${fresh ? '' : ' (there already)'}`,
      );
    }
  };
  // A failure empties the queue, so that the other workers end after their current task.
  const workers = Array.from({ length: atOnce }, () =>
    work().catch((error: unknown) => {
      waiting.length = 0;
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(workers)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  await seedOperator(site, flow, settings);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  log(`Seeded ${chosen.length} creators in ${seconds} s, ${changed} of them new or completed.`);
}

async function reach(site: SiteClient, siteUrl: string): Promise<SiteConfig> {
  try {
    return await site.config();
  } catch (error) {
    throw new Problem(`The site at ${siteUrl} cannot be reached: start it, or set SITE_URL to its address.`, {
      cause: error,
    });
  }
}
