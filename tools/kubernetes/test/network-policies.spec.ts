import { inRepository } from '@stoa/system';
import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { callGraph, type CallGraph, type CallTarget } from '../src/call-graph.ts';
import { componentSets, overlays } from '../src/component-sets.ts';
import {
  type Endpoint,
  isNetworkPolicy,
  allowedConnections,
  connectionLabel,
} from '../src/network-policies.ts';
import { type KubeObject, type Labels, nameOf, workloadsOf } from '../src/objects.ts';
import { render, renderComponents } from '../src/render.ts';
import { kustomize } from './built.ts';

/** The workload and port of each target in the cluster, and its port elsewhere. */
const places: Record<CallTarget, { workload: string; port: number; elsewhere?: number | number[] }> = {
  nats: { workload: 'nats', port: 4222, elsewhere: 4222 },
  postgres: { workload: 'postgres', port: 5432, elsewhere: 5432 },
  s3: { workload: 'minio', port: 9000, elsewhere: 443 },
  keycloak: { workload: 'keycloak', port: 8080, elsewhere: 443 },
  mail: { workload: 'mail', port: 1025, elsewhere: 587 },
  internet: { workload: 'internet', port: 443, elsewhere: [80, 443] },
  collector: { workload: 'collector', port: 4318 },
  jaeger: { workload: 'jaeger', port: 4318 },
  prometheus: { workload: 'prometheus', port: 9090 },
};

/** The ports on which parts and apps serve metrics (k8s/components/metrics). */
const metricsPorts: Readonly<Record<string, number>> = {
  nats: 7777,
  postgres: 9187,
  keycloak: 9000,
  minio: 9000,
};

/** Returns a test whether an address is in one of these blocks. */
function blockOf(cidrs: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  const family = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4');
  for (const cidr of cidrs) {
    const [address = '', prefix] = cidr.split('/');
    list.addSubnet(address, Number(prefix), family(address));
  }
  return (address) => list.check(address, family(address));
}

const outside = 'outside';
const dns: Endpoint = {
  name: 'kube-dns',
  labels: { 'k8s-app': 'kube-dns' },
  namespace: { 'kubernetes.io/metadata.name': 'kube-system' },
  ports: [53, '53/UDP'],
};
const operator: Endpoint = {
  name: 'cnpg-operator',
  labels: { 'app.kubernetes.io/name': 'cloudnative-pg' },
  namespace: { 'kubernetes.io/metadata.name': 'cnpg-system' },
  ports: [],
};
const controller: Endpoint = {
  name: 'ingress-controller',
  labels: { 'app.kubernetes.io/name': 'ingress-nginx' },
  namespace: { 'kubernetes.io/metadata.name': 'ingress-nginx' },
  ports: [],
};
const gatewayProxy: Endpoint = {
  name: 'gateway-proxy',
  labels: { 'app.kubernetes.io/name': 'envoy' },
  namespace: { 'kubernetes.io/metadata.name': 'envoy-gateway-system' },
  ports: [],
};
const clusterPrometheus: Endpoint = {
  name: 'cluster-prometheus',
  labels: { 'app.kubernetes.io/name': 'prometheus' },
  namespace: { 'kubernetes.io/metadata.name': 'monitoring' },
  ports: [9090],
};
const beyond = [outside, dns.name, operator.name, controller.name, gatewayProxy.name, clusterPrometheus.name];
const guarded = componentSets()
  .filter(({ components }) => components.includes('network-policies'))
  .map(({ name, components }) => [name, components] as const);

/** The pods of these objects, including those that CloudNativePG's operator creates. */
function pods(objects: readonly KubeObject[]): Endpoint[] {
  const own = workloadsOf(objects).map((workload) => ({
    name: nameOf(workload),
    labels: workload.spec.template.metadata.labels,
    ports: workload.spec.template.spec.containers.flatMap(({ ports = [] }) =>
      ports.map(({ containerPort }) => containerPort),
    ),
  }));
  const operated = objects
    .filter(({ kind }) => kind === 'Cluster')
    .map(({ metadata: { name }, spec }) => {
      const { inheritedMetadata } = spec as { inheritedMetadata?: { labels: Labels } };
      const labels = { 'cnpg.io/cluster': name, ...inheritedMetadata?.labels };
      return { name, labels, ports: [5432, 8000, 9187] };
    });
  return [...own, ...operated];
}

/** The connections that these objects need for the call graph, and no others. */
function wantedWays({ connections }: CallGraph, objects: readonly KubeObject[]): string[] {
  const present = pods(objects);
  const names = new Set(present.map(({ name }) => name));
  const calls = connections
    .filter(({ from }) => names.has(from))
    .flatMap(({ from, to, port: own }) => {
      const { workload, port, elsewhere } = places[to];
      if (names.has(workload)) return [connectionLabel(from, workload, own ?? port)];
      return [elsewhere ?? []].flat().map((one) => connectionLabel(from, outside, one));
    });
  // The cluster's own Prometheus is visible only by objects of its operator.
  const prometheus = objects.some(({ kind }) => kind === 'PodMonitor')
    ? clusterPrometheus.name
    : 'prometheus';
  const measured = present
    .filter(({ labels = {} }) => labels['stoa/metrics'] !== undefined)
    .map(({ name }) => connectionLabel(prometheus, name, metricsPorts[name] ?? 0))
    .filter(() => prometheus !== 'prometheus' || names.has('prometheus'));
  const sent = names.has('collector') && prometheus !== 'prometheus' ? ['collector', 'grafana'] : [];
  const toPrometheus = sent.map((from) => connectionLabel(from, prometheus, 9090));
  const backups = present
    .filter(({ labels = {} }) => 'stoa/calls-backup-store' in labels)
    .map(({ name }) => connectionLabel(name, outside, 443));
  // With an Ingress or a Gateway only its controller's proxies may forward a visitor's address.
  const callersBy = (ingress: string) => {
    if (objects.some(({ kind }) => kind === 'Gateway')) return [gatewayProxy.name];
    const hasIngress = objects.some(({ kind, metadata }) => kind === 'Ingress' && metadata.name === ingress);
    return hasIngress ? [controller.name] : beyond;
  };
  const entryPoints = [
    ...callersBy('stoa').map((from) => connectionLabel(from, 'gateway', 8080)),
    ...callersBy('stoa-engines').flatMap((from) => [
      connectionLabel(from, 'edge', 8180),
      connectionLabel(from, 'edge', 9000),
    ]),
  ];
  // Adds lookups in DNS, without which no address in the settings can be resolved.
  const lookups = present.flatMap(({ name }) =>
    dns.ports.map((port) => connectionLabel(name, dns.name, port)),
  );
  // Connections between servers of one engine, and from an operator's instances to the API server.
  const listensOn = (name: string, port: number) =>
    present.find((pod) => pod.name === name)?.ports.includes(port);
  const peers = [
    ...(listensOn('nats', 6222) ? [connectionLabel('nats', 'nats', 6222)] : []),
    ...(listensOn('keycloak', 7800)
      ? [7800, 57_800].map((port) => connectionLabel('keycloak', 'keycloak', port))
      : []),
    ...(listensOn('postgres', 8000)
      ? [
          connectionLabel('postgres', 'postgres', 5432),
          connectionLabel('postgres', 'postgres', 8000),
          connectionLabel(operator.name, 'postgres', 5432),
          connectionLabel(operator.name, 'postgres', 8000),
          connectionLabel('postgres', outside, 443),
          connectionLabel('postgres', outside, 6443),
        ]
      : []),
  ];
  // External engines have only one port, so two calls of one app may be the same connection.
  return [
    ...new Set([...calls, ...measured, ...toPrometheus, ...backups, ...entryPoints, ...lookups, ...peers]),
  ].toSorted();
}

describe('the network policies allow exactly the connections of the call graph', () => {
  let graph: CallGraph;
  beforeAll(async () => {
    graph = await callGraph();
  });

  const tested = [80, 443, 587, 1025, 4222, 4318, 5432, 6443, 8080, 8180, 9000, 9090, 12_345];
  const ways = (objects: readonly KubeObject[], ...others: Endpoint[]) =>
    allowedConnections(objects, [
      ...pods(objects),
      { name: outside, ports: tested },
      dns,
      operator,
      controller,
      gatewayProxy,
      clusterPrometheus,
      ...others,
    ]);

  it.each(overlays)('in the overlay %s [kubernetes-3]', async (name) => {
    const objects = await render(kustomize, inRepository('k8s/overlays', name));
    expect(ways(objects)).toEqual(wantedWays(graph, objects));
  });

  it('contact reaches the internet, but no private, shared, local or metadata address [kubernetes-4]', async () => {
    const objects = await renderComponents(kustomize, [
      'nats',
      'postgres',
      'minio',
      'keycloak',
      'mail',
      'network-policies',
    ]);
    const [{ spec } = { spec: null }, ...others] = objects
      .filter(isNetworkPolicy)
      .filter(({ metadata }) => metadata.name === 'to-internet');
    expect(others).toEqual([]);
    const open = (spec?.egress ?? []).flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? []));
    const blocks = open.map(({ cidr, except = [] }) => ({ open: blockOf([cidr]), shut: blockOf(except) }));
    const isOpen = (address: string) => blocks.some((block) => block.open(address) && !block.shut(address));
    expect(['1.1.1.1', '93.184.216.34', '2606:4700::1111'].filter((address) => !isOpen(address))).toEqual([]);
    const inside = [
      ...['10.0.0.1', '127.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '0.0.0.0'],
      ...['169.254.169.254', '168.63.129.16', '224.0.0.1', '240.0.0.1', '198.18.0.1', '192.0.0.170'],
      ...['::1', 'fd00:ec2::254', 'fe80::1', '64:ff9b::a00:1', '2002:a00:1::', '2001::1'],
    ];
    expect(inside.filter(isOpen)).toEqual([]);
  });

  it('no rule limits the callers of a port that another rule of the policy opens to all', async () => {
    const objects = await renderComponents(kustomize, [
      'nats',
      'postgres',
      'minio',
      'keycloak',
      'mail',
      'network-policies',
    ]);
    const idle = objects.filter(isNetworkPolicy).flatMap(({ metadata, spec: { ingress = [] } }) => {
      const open = ingress
        .filter(({ from }) => !from)
        .flatMap(({ ports = [] }) => ports.map(({ port }) => port));
      const named = ingress
        .filter(({ from }) => from)
        .flatMap(({ ports = [] }) => ports.map(({ port }) => port));
      return named.some((port) => open.includes(port)) ? [metadata.name] : [];
    });
    expect(idle).toEqual([]);
  });

  it('the examples of docs/operate/monitoring.md open exactly what they describe', async () => {
    const parts = ['nats', 'postgres', 'minio', 'keycloak', 'mail', 'observability', 'network-policies'];
    const objects = await renderComponents(kustomize, parts);
    const text = readFileSync(inRepository('docs/operate/monitoring.md'), 'utf8');
    const examples = [...text.matchAll(/```yaml\n(.*?)```/gs)]
      .map(([, example = '']) => parse(example) as KubeObject)
      .filter(({ kind }) => kind === 'NetworkPolicy');
    const alertmanager: Endpoint = {
      name: 'alertmanager',
      labels: { 'app.kubernetes.io/name': 'alertmanager' },
      namespace: { 'kubernetes.io/metadata.name': 'monitoring' },
      ports: [9093],
    };
    const before = ways(objects, alertmanager);
    const opened = ways([...objects, ...examples], alertmanager).filter((one) => !before.includes(one));
    expect(opened).toEqual([
      connectionLabel('collector', outside, 4318),
      connectionLabel('prometheus', 'alertmanager', 9093),
    ]);
  });

  it.each(guarded)('in the set %s', async (_, components) => {
    const objects = await renderComponents(kustomize, components);
    expect(ways(objects)).toEqual(wantedWays(graph, objects));
  });
});
