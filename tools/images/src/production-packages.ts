import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package that an app needs at run time. */
export interface Package {
  /** Its folder below the root of the repository, such as `node_modules/zod` or `libs/contracts`. */
  readonly folder: string;
  /** Where Node finds it, when that is a link into the repository. */
  readonly link?: string;
}

/** What npm notes of a package that it has installed. */
interface Installed {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/**
 * What stands installed below `root` and is reached from `workspace` by production dependencies, optional
 * ones and required peers. Optional peers are left out: that is how npm comes to install Prisma's CLI and
 * TypeScript beside an app that never loads them.
 *
 * @throws Error when a required package is not installed.
 */
export function productionPackages(root: string, workspace: string): Package[] {
  const noted = readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8');
  const { packages } = JSON.parse(noted) as { packages: Record<string, Installed> };
  const start = `node_modules/${workspace}`;
  if (!packages[start]) throw new Error(`${workspace} is no workspace of ${root}: has npm ci run there?`);
  const found = new Map<string, Package>();
  const pending = [start];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (found.has(place)) continue;
    const { link, resolved } = packages[place] ?? {};
    const folder = link && resolved ? resolved : place;
    found.set(place, folder === place ? { folder } : { folder, link: place });
    pending.push(...needs(packages, folder));
  }
  return [...found.values()].toSorted((one, other) => one.folder.localeCompare(other.folder));
}

function needs(packages: Record<string, Installed>, folder: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
    packages[folder] ?? {};
  const names = new Set(Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }));
  return [...names].flatMap((name) => {
    if (peerDependenciesMeta?.[name]?.optional && !dependencies?.[name]) return [];
    const place = placeOf(packages, folder, name);
    if (place !== undefined) return [place];
    // npm leaves out an optional package that does not suit this machine.
    if (optionalDependencies?.[name]) return [];
    throw new Error(`${folder} needs ${name}, which is not installed.`);
  });
}

/** Node's own way of looking: in the folder's node_modules, then in those above it. */
function placeOf(packages: Record<string, Installed>, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = `${folder}${folder && '/'}node_modules/${name}`;
    if (packages[place]) return place;
    if (folder === '') return undefined;
  }
}
