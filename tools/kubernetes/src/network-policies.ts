import type { KubeObject, Labels } from './objects.ts';

interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[];
}

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
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

export const isNetworkPolicy = (object: KubeObject): object is NetworkPolicy =>
  object.kind === 'NetworkPolicy';

/** A port of TCP, or of UDP when it says so. */
export type Port = number | `${number}/UDP`;

/** A pod of the namespace or of another one, or everything beyond. */
export interface Endpoint {
  readonly name: string;
  /** Undefined for what is outside. */
  readonly labels?: Labels;
  /** The labels of its namespace, where that is not the one that the policies are in. */
  readonly namespace?: Labels;
  /** The ports that it listens on; of what is outside, those that are asked about. */
  readonly ports: readonly Port[];
}

/** One way that is open: `from → to:port`. */
export const connectionLabel = (from: string, to: string, port: Port): string => `${from} → ${to}:${port}`;

/** Every way that the policies leave open between these endpoints, by the rules of the Kubernetes API. */
export function allowedConnections(objects: readonly KubeObject[], endpoints: readonly Endpoint[]): string[] {
  const policies = objects.filter(isNetworkPolicy);
  const isOpen = (from: Endpoint, to: Endpoint, port: Port) =>
    allows(policies, 'Egress', from, to, port) && allows(policies, 'Ingress', to, from, port);
  return endpoints
    .flatMap((from) =>
      endpoints.flatMap((to) =>
        // Beyond the namespace the policies have no say.
        isGoverned(from) || isGoverned(to)
          ? to.ports
              .filter((port) => isOpen(from, to, port))
              .map((port) => connectionLabel(from.name, to.name, port))
          : [],
      ),
    )
    .toSorted();
}

const isGoverned = ({ labels, namespace }: Endpoint) => labels !== undefined && namespace === undefined;

/** Whether `pod` may open (Egress) or take (Ingress) a connection with `peer`: one rule of one policy is enough. */
function allows(
  policies: readonly NetworkPolicy[],
  direction: 'Ingress' | 'Egress',
  { labels, namespace }: Endpoint,
  peer: Endpoint,
  port: Port,
): boolean {
  if (!labels || namespace) return true;
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
  asked: Port,
): boolean {
  if (typeof port === 'string') throw new Error(`The port "${port}" has a name: policies here give numbers.`);
  const [number, askedProtocol = 'TCP'] = String(asked).split('/');
  return protocol === askedProtocol && (port === undefined || port === Number(number));
}

function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, { labels, namespace }: Endpoint): boolean {
  // Whether a block holds the addresses of pods as well differs between network plug-ins: taken as if it did.
  if (ipBlock) return true;
  if (!labels || !matches(podSelector ?? {}, labels)) return false;
  // Without a selector of namespaces a peer is of the policy's own; with one, of those that it selects. What labels
  // our own has is the cluster's affair, and no policy here selects it.
  return namespaceSelector ? matches(namespaceSelector, namespace ?? {}) : namespace === undefined;
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
