import Arborist from '@npmcli/arborist';

/** A package that an app needs at run time. */
export interface Package {
  /** Its folder below the root of the repository, such as `node_modules/zod` or `libs/contracts`. */
  readonly folder: string;
  /** Where Node finds it, when that is a link into the repository. */
  readonly link?: string;
}

type Tree = Awaited<ReturnType<Arborist['loadActual']>>;

/**
 * What stands installed below `root` and is reached from `workspace` by production dependencies, optional
 * ones and required peers. Optional peers are left out: that is how npm comes to install Prisma's CLI and
 * TypeScript beside an app that never loads them.
 *
 * @throws Error when a required package is not installed.
 */
export async function productionPackages(root: string, workspace: string): Promise<Package[]> {
  const tree = await new Arborist({ path: root }).loadActual();
  const link = tree.children.get(workspace);
  if (!link) throw new Error(`${workspace} is no workspace of ${root}: has npm ci run there?`);
  const found = new Map<string, Package>();
  const pending: Tree[] = [link];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (found.has(node.location)) continue;
    found.set(node.location, packageAt(node));
    pending.push(...needs(node.isLink ? node.target : node));
  }
  return [...found.values()].toSorted((one, other) => one.folder.localeCompare(other.folder));
}

const packageAt = (node: Tree): Package =>
  node.isLink ? { folder: node.target.location, link: node.location } : { folder: node.location };

function needs(node: Tree): Tree[] {
  return [...node.edgesOut.values()].flatMap((edge) => {
    if (edge.type === 'dev' || edge.type === 'peerOptional') return [];
    if (edge.to) return [edge.to];
    // npm leaves out an optional package that does not suit this machine.
    if (edge.type === 'optional') return [];
    throw new Error(`${node.location} needs ${edge.name}, which is not installed.`);
  });
}
