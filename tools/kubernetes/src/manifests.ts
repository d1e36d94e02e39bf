import { replaceBetweenMarkers, inRepository } from '@stoa/system';
import { announcingServices, apps, databases, natsUsers } from '@stoa/system/settings/names';
import { readFileSync } from 'node:fs';

const marks = ['# of the apps: written by "npm run stoa generate kubernetes"', '# end of the apps'] as const;

const { version } = JSON.parse(readFileSync(inRepository('package.json'), 'utf8')) as { version: string };

const images = (registry: string) =>
  [...apps, 'set-up'].map(
    (name) =>
      `  - {name: stoa/${name}, ${registry && `newName: ${registry}/stoa/${name}, `}newTag: ${version}}`,
  );

const passwords = (engine: string, names: readonly string[]) =>
  names.flatMap((name) => {
    const key = `${engine}_${name.toUpperCase()}_PASSWORD`;
    return [
      `            - name: ${key}`,
      `              valueFrom: {secretKeyRef: {name: stoa-secrets, key: ${key}}}`,
    ];
  });

const autoscalers = apps.map((name) =>
  [
    'apiVersion: autoscaling/v2',
    'kind: HorizontalPodAutoscaler',
    'metadata:',
    `  name: ${name}`,
    'spec:',
    `  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: ${name}}`,
  ].join('\n'),
);

/** Lists of all apps in manifests, where a selector is not possible. */
const lists: Readonly<Record<string, readonly string[]>> = {
  'k8s/base/dead-letters/job.yaml': [
    ...passwords('NATS', announcingServices),
    ...passwords('POSTGRES', announcingServices),
  ],
  'k8s/base/set-up/postgres/job.yaml': passwords('POSTGRES', databases),
  'k8s/components/autoscaling/autoscalers.yaml': [autoscalers.join('\n---\n')],
  'k8s/components/images/kustomization.yaml': images(''),
  'k8s/components/nats/nats.yaml': passwords('NATS', natsUsers),
  'k8s/overlays/production/kustomization.yaml': images('registry.example.com'),
};

export const generated = () =>
  new Map(Object.entries(lists).map(([path, lines]) => [path, withList(path, lines)]));

function withList(path: string, lines: readonly string[]): string {
  const document = readFileSync(inRepository(path), 'utf8');
  // The end marker keeps its indentation.
  const indent = /^( *)# end of the apps$/m.exec(document)?.[1] ?? '';
  return replaceBetweenMarkers(document, marks, `\n${lines.join('\n')}\n${indent}`);
}
