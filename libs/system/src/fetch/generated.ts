import { readFileSync } from 'node:fs';
import { inRepository } from '../paths.ts';
import { replaceBetweenMarkers } from '../replace-between-markers.ts';
import { imageOf, pinned, pins } from './pins.ts';

const marks = [
  '# Generated from deploy/versions.json by "npm run stoa generate versions"',
  '# End of the generated part.',
] as const;

const withImage = [...pinned].filter(([, { image }]) => image).map(([name]) => name);

const anchors = withImage.map((name) => `  ${name}: &${name}-image ${imageOf(name)}`);

/** The names of images in kustomize that differ from ours. */
const kustomizeNames: Readonly<Record<string, string>> = { mail: 'mailpit' };

const tags = withImage
  .filter((name) => name !== 'node')
  .map((name) => {
    const image = imageOf(name);
    const colon = image.lastIndexOf(':');
    const [repository, tag] = [image.slice(0, colon), image.slice(colon + 1)];
    const known = kustomizeNames[name] ?? name;
    const renamed = repository === known ? '' : `newName: ${repository}, `;
    return `  - {name: ${known}, ${renamed}newTag: ${JSON.stringify(tag)}}`;
  });

const list = (lines: readonly string[]) => (document: string) =>
  replaceBetweenMarkers(document, marks, `\n${lines.join('\n')}\n  `);

/** Replaces the value after `key` in a document. @throws Error if no line of the document has this key. */
const value = (key: string, text: string) => (document: string) => {
  const line = new RegExp(`^( *${key}) ?.*$`, 'm');
  if (!line.test(document)) throw new Error(`No line of the document has the key "${key}".`);
  return document.replace(line, (_, begin: string) => `${begin}${begin.endsWith('=') ? '' : ' '}${text}`);
};

const files: Readonly<Record<string, (document: string) => string>> = {
  'docker-compose.yml': list(anchors),
  Dockerfile: value('ARG NODE_IMAGE=', imageOf('node')),
  '.devcontainer/devcontainer.json': value('"image":', `"node:${pins.node.version}-bookworm",`),
  'deploy/versitygw/compose.yaml': value('image:', imageOf('versitygw')),
  'k8s/components/images/kustomization.yaml': list(tags),
  'k8s/components/cloudnative-pg/cluster.yaml': value(
    'imageName:',
    pins.postgres.operatorImage.replace('{version}', pins.postgres.version),
  ),
};

/** The files that contain image names, with the versions of deploy/versions.json. */
export const generated = (): Map<string, string> =>
  new Map(
    Object.entries(files).map(([path, written]) => [path, written(readFileSync(inRepository(path), 'utf8'))]),
  );
