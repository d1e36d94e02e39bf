import { describe, expect, it } from '@jest/globals';
import { openWays } from './network-policies.ts';
import type { KubeObject } from './objects.ts';

const pod = (name: string, ...ports: number[]) => ({ name, labels: { app: name }, ports });
const outside = { name: 'outside', ports: [443] };
const policy = (name: string, spec: object): KubeObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name },
  spec,
});
const denied = policy('deny', { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
const egress = (name: string, rule: object) =>
  policy(`${name}-out`, {
    podSelector: { matchLabels: { app: name } },
    policyTypes: ['Egress'],
    egress: [rule],
  });
const ingress = (name: string, rule: object) =>
  policy(`${name}-in`, {
    podSelector: { matchLabels: { app: name } },
    policyTypes: ['Ingress'],
    ingress: [rule],
  });
const to = (name: string, ...ports: number[]) => ({
  to: [{ podSelector: { matchLabels: { app: name } } }],
  ports: ports.map((port) => ({ port })),
});
const from = (name: string) => ({ from: [{ podSelector: { matchLabels: { app: name } } }] });

describe('ways that policies leave open', () => {
  it('are all without a policy, and none with a default of deny', () => {
    const pods = [pod('a', 1), pod('b', 2)];
    expect(openWays([], pods)).toEqual(['a → a:1', 'a → b:2', 'b → a:1', 'b → b:2']);
    expect(openWays([denied], pods)).toEqual([]);
  });

  it('need both ends', () => {
    const pods = [pod('a'), pod('b', 2)];
    expect(openWays([denied, egress('a', to('b', 2))], pods)).toEqual([]);
    expect(openWays([denied, ingress('b', from('a'))], pods)).toEqual([]);
    expect(openWays([denied, egress('a', to('b', 2)), ingress('b', from('a'))], pods)).toEqual(['a → b:2']);
  });

  it('are of the named ports only', () => {
    const pods = [pod('a'), pod('b', 2, 3)];
    expect(openWays([denied, egress('a', to('b', 3)), ingress('b', {})], pods)).toEqual(['a → b:3']);
  });

  it('lead out through a block of addresses, and in where nobody is named', () => {
    const out = egress('a', { to: [{ ipBlock: { cidr: '0.0.0.0/0' } }], ports: [{ port: 443 }] });
    expect(openWays([denied, out], [pod('a', 1), outside])).toEqual(['a → outside:443']);
    expect(openWays([denied, ingress('a', {})], [pod('a', 1), outside])).toEqual(['outside → a:1']);
  });

  it('lead to pods of another namespace by its labels and theirs, and to none of the own', () => {
    const names = { ...pod('names', 53), namespace: { name: 'system' } };
    const open = (rule: object) =>
      openWays(
        [denied, egress('a', { to: [rule] }), ingress('b', {})],
        [pod('a'), pod('b', 2), names],
      ).filter((one) => one.startsWith('a '));
    const namespaceSelector = { matchLabels: { name: 'system' } };
    const podSelector = { matchLabels: { app: 'names' } };
    expect(open({ namespaceSelector, podSelector })).toEqual(['a → names:53']);
    expect(open({ namespaceSelector })).toEqual(['a → names:53']);
    expect(open({ podSelector })).toEqual([]);
    expect(open({ namespaceSelector, podSelector: { matchLabels: { app: 'b' } } })).toEqual([]);
    expect(open({ namespaceSelector: { matchLabels: { name: 'b' } }, podSelector })).toEqual([]);
  });

  it('are of the named protocol only', () => {
    const names = { ...pod('names'), ports: [53, '53/UDP'] as const };
    const open = (...ports: object[]) =>
      openWays([denied, egress('a', { ports }), ingress('names', {})], [pod('a'), names]);
    expect(open({ port: 53 })).toEqual(['a → names:53']);
    expect(open({ port: 53, protocol: 'UDP' })).toEqual(['a → names:53/UDP']);
  });
});
