import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository } from '@stoa/system/paths';
import type { PartsHandles } from '@stoa/system/parts/start-parts';
import { explain } from '@stoa/system/problem';
import { CommandFailed, run } from '@stoa/system/processes/run';
import type { Reporter } from '@stoa/system/progress';
import { loadSecrets, requireSecret } from '@stoa/system/settings/secrets';

const operator = 'nandi-reviews';

/**
 * Fills an empty product with sample data, once for each data folder, and prints how to log in. Returns
 * whether the samples exist.
 */
export async function seedOnce(folder: string, parts: PartsHandles, reporter: Reporter): Promise<boolean> {
  const program = inRepository('tools/seed/src/main.ts');
  if (!existsSync(program)) return true;
  const password = requireSecret(loadSecrets(join(folder, 'secrets.env')), 'SEED_PASSWORD');
  const stamp = join(folder, 'data/seeded');
  if (!existsSync(stamp) && !(await seed(program, password, parts, reporter))) return false;
  if (!existsSync(stamp)) writeFileSync(stamp, '');
  const names = await someUsernames(parts.siteUrl);
  if (names.length > 0) reporter.line(`  Demo logins: ${names.join(', ')}, … with the password ${password}`);
  reporter.line(
    `  Operator’s login: ${operator}, the same password; two reports wait at ${parts.siteUrl}/review`,
  );
  return true;
}

async function seed(
  program: string,
  password: string,
  { siteUrl, keycloak }: PartsHandles,
  reporter: Reporter,
): Promise<boolean> {
  const task = reporter.task('Samples', 'making creators, pictures and offerings');
  try {
    await run(process.execPath, [program], {
      env: {
        ...process.env,
        SITE_URL: siteUrl,
        KEYCLOAK_URL: keycloak.publicUrl,
        KEYCLOAK_REALM: keycloak.realm,
        SEED_PASSWORD: password,
        KEYCLOAK_ADMIN_URL: keycloak.url,
        KEYCLOAK_SETUP_SECRET: keycloak.setUpSecret,
      },
      onLine: (line) => task.update(line),
    });
    task.done('seeded');
    return true;
  } catch (error) {
    const why = error instanceof CommandFailed ? error.output.split('\n').at(-1) : explain(error);
    task.fail(`could not be made (${why}); the next start tries again`);
    return false;
  }
}

/** Seeded creators log in with their usernames, which the site lists. */
async function someUsernames(siteUrl: string): Promise<string[]> {
  try {
    const response = await fetch(`${siteUrl}/api/creators`);
    const { items } = (await response.json()) as { items: { username: string }[] };
    return items.slice(0, 3).map(({ username }) => username);
  } catch {
    return [];
  }
}
