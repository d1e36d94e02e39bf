import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { productionPackages } from './production-packages.ts';

/** A package in CycloneDX 1.6. */
export interface Component {
  readonly type: 'library';
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly 'bom-ref': string;
  /** The SPDX licence that the package declares. */
  readonly licenses: readonly ({ readonly expression: string } | { readonly license: { name: string } })[];
  /** The digest of the archive that npm installs; workspaces have none. */
  readonly hashes: readonly { readonly alg: 'SHA-512'; readonly content: string }[];
}

export interface Sbom {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.6';
  readonly version: 1;
  readonly metadata: { readonly component: { readonly type: 'application'; readonly name: string } };
  readonly components: readonly Component[];
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  /** npm's deprecated form. */
  readonly licenses?: readonly { readonly type: string }[];
}

/**
 * The bill of materials (CycloneDX) of an app's image. `npm sbom` cannot produce it: for one workspace it
 * omits indirect dependencies through other workspaces, and it fails on optional packages of other platforms.
 */
export function sbomOf(root: string, app: string): Sbom {
  // The gateway's image also contains the site's packages, bundled.
  const workspaces = app === 'gateway' ? [app, 'web'] : [app];
  const found = workspaces.flatMap((name) => productionPackages(root, `@stoa/${name}`));
  const folders = new Set(found.map(({ folder }) => folder));
  const { packages } = read(join(root, 'package-lock.json')) as {
    packages: Record<string, { integrity?: string }>;
  };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: `stoa-${app}` } },
    components: [...folders]
      .toSorted()
      .map((folder) =>
        toComponent(folder, read(join(root, folder, 'package.json')) as Manifest, packages[folder]),
      ),
  };
}

function toComponent(
  folder: string,
  { name, version, license, licenses }: Manifest,
  locked?: { integrity?: string },
): Component {
  const declared = license ?? licenses?.map(({ type }) => type).join(' OR ');
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    // Identifies a component by its folder, because one version of a package may be installed in several
    // folders.
    'bom-ref': folder,
    licenses:
      declared === undefined
        ? []
        : [/^SEE /.test(declared) ? { license: { name: declared } } : { expression: declared }],
    hashes: sha512Of(locked?.integrity),
  };
}

function sha512Of(integrity = ''): Component['hashes'] {
  const [, base64] = /sha512-(\S+)/.exec(integrity) ?? [];
  return base64 ? [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }] : [];
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
