import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Problem } from '../problem.ts';

export interface UnixUser {
  uid: number;
  gid: number;
}

/**
 * The user of Postgres. It refuses to run as root, so root uses an existing unprivileged account. Undefined for all
 * other users, who run it themselves.
 */
export function postgresUser(): UnixUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const entries = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = entries.find((entry) => entry.startsWith(`${wanted}:`))?.split(':') ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Problem(
    'Postgres cannot run as root, and there is no user "postgres" or "nobody": add one, or run as an ordinary user.',
  );
}

/** Whether a user can enter every folder above a path; other users cannot enter a clone in /root. */
export function canReach({ uid, gid }: UnixUser, path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid: owner, gid: group } = statSync(folder);
    const shift = owner === uid ? 6 : group === gid ? 3 : 0;
    if (((mode >> shift) & 1) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** A folder that every user can reach, one per folder that it replaces. */
export function reachableFolder(instead: string): string {
  const name = `stoa-postgres-${createHash('sha256').update(instead).digest('hex').slice(0, 12)}`;
  // /var/tmp survives a reboot; the temporary folder may not.
  for (const base of ['/var/tmp', tmpdir(), '/tmp']) {
    try {
      if ((statSync(base).mode & 0o1001) === 0o1001) return join(base, name);
    } catch {
      continue;
    }
  }
  throw new Problem(
    'Postgres needs a folder that other users can enter, and /var/tmp and /tmp are none: move the clone out of /root, or run as an ordinary user.',
  );
}
