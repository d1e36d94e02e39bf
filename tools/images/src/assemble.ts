import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { productionPackages } from './production-packages.ts';
import { sbomOf } from './sbom.ts';

/**
 * Puts all files that `app` needs at run time into `out`: its built files, its production packages, and the
 * built site for the gateway. `sbom.cdx.json` is their bill of materials. `root` is a checkout after `npm ci`
 * and the build. The container image and the folders of tests are made by the same code.
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

/** Copies a package's own files; packages installed below it are separate ones. */
async function copyPackage(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const entries = (await readdir(from)).filter((name) => name !== 'node_modules');
  await Promise.all(
    entries.map((name) => cp(join(from, name), join(to, name), { recursive: true, filter: isRead })),
  );
}

async function copyBuilt(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await cp(join(from, 'package.json'), join(to, 'package.json'));
  await cp(join(from, 'dist'), join(to, 'dist'), { recursive: true, filter: (path) => !types.test(path) });
  // Copies the fonts of the preview cards that media renders.
  const fonts = join(from, 'fonts');
  if (existsSync(fonts)) await cp(fonts, join(to, 'fonts'), { recursive: true });
  // Copies the migrations. `await-migrations` compares them with the database before a service starts.
  const migrations = join(from, 'prisma/migrations');
  if (existsSync(migrations)) await cp(migrations, join(to, 'prisma/migrations'), { recursive: true });
}

const types = /\.d\.[cm]?ts(\.map)?$|\.tsbuildinfo$/;

/** Whether a package's file may be read at run time. The excluded files are half of the packages' size. */
const isRead = (path: string) => !typesOrMap.test(path) && !otherDatabases.test(path);
const typesOrMap = /\.d\.[cm]?ts$|\.map$/;
/** Prisma's client contains one query compiler for each kind of database. */
const otherDatabases = /@prisma\/client\/runtime\/query_compiler_\w+\.(cockroachdb|mysql|sqlite|sqlserver)\./;
