import { readFileSync } from 'node:fs';
import { inRepository } from '@stoa/system/paths';
import { CheckFailed } from './check.ts';

interface LockedPackage {
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

type Locked = Record<string, LockedPackage>;

/**
 * Fails for a lockfile that `npm ci` would refuse or install incompletely. npm writes such lockfiles when a
 * registry lacks the binaries of another platform.
 */
export async function checkLockfile(): Promise<void> {
  const { packages } = JSON.parse(readFileSync(inRepository('package-lock.json'), 'utf8')) as {
    packages: Locked;
  };
  const wrong = [...missing(packages), ...differing(packages)];
  if (wrong.length > 0) throw new CheckFailed(`package-lock.json is not complete:\n  ${wrong.join('\n  ')}`);
}

/** Dependencies that no entry of the lockfile satisfies. */
export function missing(packages: Locked): string[] {
  return Object.entries(packages).flatMap(([path, locked]) => {
    if (locked.link) return [];
    const required = {
      ...locked.dependencies,
      ...locked.devDependencies,
      ...locked.optionalDependencies,
      ...requiredPeers(locked),
    };
    // Checks development packages only of workspaces, because npm installs no others.
    const names = Object.keys(required).filter(
      (name) => !path.includes('node_modules') || !(name in (locked.devDependencies ?? {})),
    );
    return names
      .filter((name) => !resolves(packages, path, name))
      .map((name) => `${path || '.'} lacks ${name}`);
  });
}

const requiredPeers = ({ peerDependencies = {}, peerDependenciesMeta = {} }: LockedPackage) =>
  Object.fromEntries(
    Object.entries(peerDependencies).filter(([name]) => !peerDependenciesMeta[name]?.optional),
  );

/** Resolves a package as Node does: in the folder's node_modules, then in those of its parents. */
function resolves(packages: Locked, from: string, name: string): boolean {
  for (let folder = from; ; folder = above(folder)) {
    if (packages[`${folder}${folder && '/'}node_modules/${name}`]) return true;
    if (folder === '') return false;
  }
}

const above = (folder: string) => folder.slice(0, Math.max(0, folder.lastIndexOf('/')));

/** Workspaces whose package.json requires other versions than the lockfile. */
function differing(packages: Locked): string[] {
  const workspaces = Object.keys(packages).filter((path) => path !== '' && !path.includes('node_modules'));
  return ['', ...workspaces].flatMap((path) => {
    const own = JSON.parse(readFileSync(inRepository(path, 'package.json'), 'utf8')) as LockedPackage;
    return (['dependencies', 'devDependencies', 'optionalDependencies'] as const).flatMap((kind) => {
      const [wanted, locked] = [own[kind] ?? {}, packages[path]?.[kind] ?? {}];
      const names = new Set([...Object.keys(wanted), ...Object.keys(locked)]);
      return [...names]
        .filter((name) => wanted[name] !== locked[name])
        .map((name) => `${path || '.'} requires ${name} ${wanted[name]}, the lockfile has ${locked[name]}`);
    });
  });
}
