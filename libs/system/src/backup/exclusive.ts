import { Problem } from '../problem.ts';
import { withClient } from '../provision/databases.ts';

/**
 * Backs up or restores with no other backup or restore of the same installation beside it.
 *
 * @throws Problem while there is one.
 */
export function exclusively<T>(adminUrl: string, work: () => Promise<T>): Promise<T> {
  return withClient(adminUrl, async (admin) => {
    // Held by the connection: a killed process releases it.
    const { rows } = await admin.query<{ free: boolean }>(
      "SELECT pg_try_advisory_lock(hashtextextended('backup', 0)) AS free",
    );
    if (!rows[0]?.free) throw new Problem('Another backup or restore is under way.');
    return work();
  });
}
