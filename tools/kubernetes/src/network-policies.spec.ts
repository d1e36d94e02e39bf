import { describe, expect, it } from '@jest/globals';
import { allowedConnections } from './network-policies.ts';
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

describe('allowed connections', () => {
  it('are all connections without a policy, and none with default deny', () => {
    const pods = [pod('a', 1), pod('b', 2)];
    expect(allowedConnections([], pods)).toEqual(['a → a:1', 'a → b:2', 'b → a:1', 'b → b:2']);
    expect(allowedConnections([denied], pods)).toEqual([]);
  });

  it('need both egress and ingress', () => {
    const pods = [pod('a'), pod('b', 2)];
    expect(allowedConnections([denied, egress('a', to('b', 2))], pods)).toEqual([]);
    expect(allowedConnections([denied, ingress('b', from('a'))], pods)).toEqual([]);
    expect(allowedConnections([denied, egress('a', to('b', 2)), ingress('b', from('a'))], pods)).toEqual([
      'a → b:2',
    ]);
  });

  it('are limited to the named ports', () => {
    const pods = [pod('a'), pod('b', 2, 3)];
    expect(allowedConnections([denied, egress('a', to('b', 3)), ingress('b', {})], pods)).toEqual([
      'a → b:3',
    ]);
  });

  it('include the outside for an ipBlock, and for an ingress rule without callers', () => {
    const out = egress('a', { to: [{ ipBlock: { cidr: '0.0.0.0/0' } }], ports: [{ port: 443 }] });
    expect(allowedConnections([denied, out], [pod('a', 1), outside])).toEqual(['a → outside:443']);
    expect(allowedConnections([denied, ingress('a', {})], [pod('a', 1), outside])).toEqual(['outside → a:1']);
  });

  it('match namespaceSelector and podSelector together', () => {
    const names = { ...pod('names', 53), namespace: { name: 'system' } };
    const open = (rule: object) =>
      allowedConnections(
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

  it('are limited to the named protocol', () => {
    const names = { ...pod('names'), ports: [53, '53/UDP'] as const };
    const open = (...ports: object[]) =>
      allowedConnections([denied, egress('a', { ports }), ingress('names', {})], [pod('a'), names]);
    expect(open({ port: 53 })).toEqual(['a → names:53']);
    expect(open({ port: 53, protocol: 'UDP' })).toEqual(['a → names:53/UDP']);
  });
});
