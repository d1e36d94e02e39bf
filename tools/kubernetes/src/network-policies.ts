import type { KubeObject, Labels } from './objects.ts';

interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[];
}

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string };
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port?: number | string; readonly protocol?: string }[];
}

interface NetworkPolicy extends KubeObject {
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes: readonly ('Ingress' | 'Egress')[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
}

/** A pod of the namespace, or everything beyond it. */
export interface Endpoint {
  readonly name: string;
  /** Undefined for what is outside. */
  readonly labels?: Labels;
  /** The ports that it listens on; of what is outside, those that are asked about. */
  readonly ports: readonly number[];
}

/** One way that is open: `from → to:port`. */
export const way = (from: string, to: string, port: number): string => `${from} → ${to}:${port}`;

/** Every way that the policies leave open between these endpoints, by the rules of the Kubernetes API. */
export function openWays(objects: readonly KubeObject[], endpoints: readonly Endpoint[]): string[] {
  const policies = objects.filter((object): object is NetworkPolicy => object.kind === 'NetworkPolicy');
  const isOpen = (from: Endpoint, to: Endpoint, port: number) =>
    allows(policies, 'Egress', from, to, port) && allows(policies, 'Ingress', to, from, port);
  return endpoints
    .flatMap((from) =>
      endpoints.flatMap((to) =>
        // Beyond the namespace the policies have no say.
        from.labels || to.labels
          ? to.ports.filter((port) => isOpen(from, to, port)).map((port) => way(from.name, to.name, port))
          : [],
      ),
    )
    .toSorted();
}

/** Whether `pod` may open (Egress) or take (Ingress) a connection with `peer`: one rule of one policy is enough. */
function allows(
  policies: readonly NetworkPolicy[],
  direction: 'Ingress' | 'Egress',
  { labels }: Endpoint,
  peer: Endpoint,
  port: number,
): boolean {
  if (!labels) return true;
  const selecting = policies.filter(
    ({ spec }) => spec.policyTypes.includes(direction) && matches(spec.podSelector, labels),
  );
  if (selecting.length === 0) return true;
  const rules = selecting.flatMap(({ spec }) => (direction === 'Ingress' ? spec.ingress : spec.egress) ?? []);
  return rules.some(({ from, to, ports }) => {
    const peers = direction === 'Ingress' ? from : to;
    return (
      (!peers || peers.some((one) => isPeer(one, peer))) && (!ports || ports.some((one) => isPort(one, port)))
    );
  });
}

function isPort(
  { port, protocol = 'TCP' }: { port?: number | string; protocol?: string },
  asked: number,
): boolean {
  if (typeof port === 'string') throw new Error(`The port "${port}" has a name: policies here give numbers.`);
  return protocol === 'TCP' && (port === undefined || port === asked);
}

function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, { labels }: Endpoint): boolean {
  // Whether a block holds the addresses of pods as well differs between network plug-ins: taken as if it did.
  if (ipBlock) return true;
  // Other namespaces (DNS, operators) are no endpoints here.
  if (namespaceSelector) return false;
  return labels !== undefined && matches(podSelector ?? {}, labels);
}

function matches({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'In') return value !== undefined && values.includes(value);
      if (operator === 'NotIn') return value === undefined || !values.includes(value);
      if (operator === 'Exists') return value !== undefined;
      return value === undefined;
    })
  );
}
