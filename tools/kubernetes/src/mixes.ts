import { inRepository } from '@stoa/system';
import { readdirSync } from 'node:fs';

/** Components that exclude each other, or are taken or left; a choice may be none, one or several. */
const choices: Record<string, readonly (readonly string[])[]> = {
  nats: [['nats'], ['nats', 'nats-cluster']],
  policies: [[], ['network-policies']],
  postgres: [['postgres'], ['external-postgres'], ['cloudnative-pg'], ['cloudnative-pg', 'read-replicas']],
  s3: [['minio'], ['external-s3'], ['minio', 'versitygw']],
  keycloak: [['keycloak'], ['external-keycloak']],
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
  observability: [[], ['observability']],
  tls: [[], ['tls']],
  backups: [[], ['backup-s3']],
};

export interface Mix {
  readonly name: string;
  readonly components: readonly string[];
}

export const overlays = ['local', 'production'] as const;

/** Every component that there is. */
export const components = readdirSync(inRepository('k8s/components')).toSorted();

/**
 * Sets of components in which every pair of choices meets at least once: what goes wrong between components goes
 * wrong between two of them. All sets together would be over a thousand.
 */
export function mixes(): Mix[] {
  const names = Object.keys(choices);
  const open = new Set(names.flatMap((one, i) => names.slice(i + 1).flatMap((other) => pairsOf(one, other))));
  const found: Mix[] = [];
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

  /** For each pair still open, the set that holds it and is completed choice by choice, greedily. */
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
