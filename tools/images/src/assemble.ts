import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { productionPackages } from './production-packages.ts';
import { sbomOf } from './sbom.ts';

/**
 * Puts into `out` all that `app` needs at run time: its built files, its production packages and, for the gateway,
 * the built site, with their bill of materials in `sbom.cdx.json`. `root` is a checkout where `npm ci` and the build
 * have run. The same code makes the container image and the folder that the tests start.
 */
export async function assemble(root: string, app: string, out: string): Promise<void> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  for (const { folder, link } of productionPackages(root, `@stoa/${app}`)) {
    if (link === undefined) {
      await copyPackage(join(root, folder), join(out, folder));
    } else {
      await copyBuilt(join(root, folder), join(out, folder));
      await mkdir(dirname(join(out, link)), { recursive: true });
      await symlink(relative(dirname(link), folder), join(out, link));
    }
  }
  if (app === 'gateway') await copyBuilt(join(root, 'apps/web'), join(out, 'apps/web'));
  await writeFile(join(out, 'sbom.cdx.json'), JSON.stringify(sbomOf(root, app), undefined, 1));
}

/** A package's own files; what is installed below it is a package of its own. */
async function copyPackage(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const entries = (await readdir(from)).filter((name) => name !== 'node_modules');
  await Promise.all(
    entries.map((name) => cp(join(from, name), join(to, name), { recursive: true, filter: isRead })),
  );
}

/** A workspace's built files. */
async function copyBuilt(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await cp(join(from, 'package.json'), join(to, 'package.json'));
  await cp(join(from, 'dist'), join(to, 'dist'), { recursive: true, filter: (path) => !types.test(path) });
  // What the cards of media are drawn with.
  const fonts = join(from, 'fonts');
  if (existsSync(fonts)) await cp(fonts, join(to, 'fonts'), { recursive: true });
  // await-migrations compares them with the database before a service starts.
  const migrations = join(from, 'prisma/migrations');
  if (existsSync(migrations)) await cp(migrations, join(to, 'prisma/migrations'), { recursive: true });
}

const types = /\.d\.[cm]?ts(\.map)?$|\.tsbuildinfo$/;

/** Whether a package's file may be read at run time; what is left out is half of what packages weigh. */
const isRead = (path: string) => !typesOrMap.test(path) && !otherDatabases.test(path);
const typesOrMap = /\.d\.[cm]?ts$|\.map$/;
/** Prisma's client carries its query compiler once for each kind of database. */
const otherDatabases = /@prisma\/client\/runtime\/query_compiler_\w+\.(cockroachdb|mysql|sqlite|sqlserver)\./;
