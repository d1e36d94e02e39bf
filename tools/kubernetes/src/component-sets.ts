import { inRepository } from '@stoa/system';
import { readdirSync } from 'node:fs';

/** Exclusive or optional components: each choice has several options of zero or more components. */
const choices: Record<string, readonly (readonly string[])[]> = {
  nats: [['nats'], ['nats', 'nats-cluster']],
  policies: [[], ['network-policies']],
  postgres: [
    ['postgres'],
    ['external-postgres'],
    ['cloudnative-pg'],
    ['cloudnative-pg', 'read-replicas'],
    ['cloudnative-pg', 'cloudnative-pg-archive'],
  ],
  s3: [['minio'], ['external-s3'], ['minio', 'versitygw']],
  keycloak: [['keycloak'], ['keycloak', 'keycloak-cluster'], ['external-keycloak']],
  mail: [['mail'], ['external-mail']],
  entry: [
    [],
    ['ingress'],
    ['ingress-engines'],
    ['ingress', 'ingress-engines'],
    ['gateway-api'],
    ['gateway-api', 'gateway-api-tls'],
  ],
  autoscaling: [[], ['autoscaling']],
  metrics: [[], ['metrics']],
  observability: [[], ['observability'], ['observability', 'prometheus-operator']],
  tls: [[], ['tls']],
  backups: [[], ['backup-s3']],
  priorities: [[], ['priorities']],
};

export interface ComponentSet {
  readonly name: string;
  readonly components: readonly string[];
}

export const overlays = ['local', 'production'] as const;

export const components = readdirSync(inRepository('k8s/components')).toSorted();

const engines = ['nats', 'network-policies', 'postgres', 'minio', 'keycloak', 'mail'];
const operated = engines.map((name) => (name === 'postgres' ? 'cloudnative-pg' : name));

/** The folders of k8s/examples; for those that are components, the components to add them to. */
export const examples: Readonly<Record<string, readonly string[] | undefined>> = {
  ...Object.fromEntries(folders('k8s/examples').map((name) => [name, undefined])),
  keda: [...engines, 'autoscaling', 'observability'],
  'postgres-from-archive': [...operated, 'cloudnative-pg-archive'],
};

function folders(path: string): string[] {
  return readdirSync(inRepository(path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/**
 * Sets of components in which every pair of options occurs at least once (pairwise testing), because most
 * faults need only two of them. All combinations would be over a thousand sets.
 */
export function componentSets(): ComponentSet[] {
  const names = Object.keys(choices);
  const open = new Set(names.flatMap((one, i) => names.slice(i + 1).flatMap((other) => pairsOf(one, other))));
  const found: ComponentSet[] = [];
  while (open.size > 0) {
    const best = candidates().reduce((most, next) => (covers(next) > covers(most) ? next : most));
    for (const pair of pairsIn(best)) open.delete(pair);
    const parts = names.flatMap((name) => choices[name]?.[best[name] ?? 0] ?? []);
    found.push({ name: parts.join(' + '), components: [...parts, 'images'] });
  }
  return found;

  function covers(chosen: Chosen): number {
    return pairsIn(chosen).filter((pair) => open.has(pair)).length;
  }

  /** For each open pair, a set with that pair, completed greedily choice by choice. */
  function candidates(): Chosen[] {
    return [...open].slice(0, 12).map((pair) => {
      const chosen = Object.fromEntries(
        pair
          .split(' ')
          .map((choice) => choice.split('='))
          .map(([name, index]) => [name, Number(index)]),
      ) as Chosen;
      for (const name of names) {
        if (name in chosen) continue;
        const options = (choices[name] ?? []).map((_, index) => index);
        const gain = (index: number) => covers({ ...chosen, [name]: index });
        chosen[name] = options.reduce((most, next) => (gain(next) > gain(most) ? next : most));
      }
      return chosen;
    });
  }

  function pairsIn(chosen: Chosen): string[] {
    return names.flatMap((one, i) =>
      names
        .slice(i + 1)
        .flatMap((other) => (one in chosen && other in chosen ? [pair(chosen, one, other)] : [])),
    );
  }
}

type Chosen = Record<string, number>;

const pair = (chosen: Chosen, one: string, other: string) =>
  `${one}=${chosen[one]} ${other}=${chosen[other]}`;

function pairsOf(one: string, other: string): string[] {
  const all = (choices[one] ?? []).flatMap((_, i) =>
    (choices[other] ?? []).map((__, j): Chosen => ({ [one]: i, [other]: j })),
  );
  return all.map((chosen) => pair(chosen, one, other));
}
