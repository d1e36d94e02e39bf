import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package that an app needs at run time. */
export interface Package {
  /** Its folder relative to the root of the repository, such as `node_modules/zod` or `libs/contracts`. */
  readonly folder: string;
  /** The path at which Node finds it, if that is a link into the repository. */
  readonly link?: string;
}

interface Installed {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/**
 * The packages installed in `root` that `workspace` reaches through production dependencies, optional
 * dependencies and required peers. Optional peers are excluded: through them npm installs Prisma's CLI and
 * TypeScript, which the app never loads.
 *
 * @throws Error if a required package is not installed.
 */
export function productionPackages(root: string, workspace: string): Package[] {
  const noted = readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8');
  const { packages } = JSON.parse(noted) as { packages: Record<string, Installed> };
  const start = `node_modules/${workspace}`;
  if (!packages[start]) throw new Error(`${workspace} is not a workspace of ${root}. Has npm ci run there?`);
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
    // Skips an optional package that npm did not install, because it is for another platform.
    if (optionalDependencies?.[name]) return [];
    throw new Error(`${folder} needs ${name}, which is not installed.`);
  });
}

/** Resolves a package as Node does: in the folder's node_modules, then in those of its parents. */
function placeOf(packages: Record<string, Installed>, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = `${folder}${folder && '/'}node_modules/${name}`;
    if (packages[place]) return place;
    if (folder === '') return undefined;
  }
}
