import { Problem } from '../problem.ts';
import { withClient } from '../provision/databases.ts';

/**
 * Runs `work` while no other backup or restore of the same installation runs.
 *
 * @throws Problem if one is running.
 */
export function withBackupLock<T>(adminUrl: string, work: () => Promise<T>): Promise<T> {
  return withClient(adminUrl, async (admin) => {
    // Postgres releases an advisory lock of a session when the process ends, even if it is killed.
    const { rows } = await admin.query<{ free: boolean }>(
      "SELECT pg_try_advisory_lock(hashtextextended('backup', 0)) AS free",
    );
    if (!rows[0]?.free) throw new Problem('Another backup or restore is under way.');
    return work();
  });
}
