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

/** A TCP port, or a UDP port with a suffix. */
export type Port = number | `${number}/UDP`;

/** A pod of this or of another namespace, or everything outside the cluster. */
export interface Endpoint {
  readonly name: string;
  /** The labels of the pod; undefined for the outside. */
  readonly labels?: Labels;
  /** The labels of its namespace, if it differs from that of the policies. */
  readonly namespace?: Labels;
  /** The ports that it listens on; for the outside, the ports to test. */
  readonly ports: readonly Port[];
}

/** The label of an allowed connection: `from → to:port`. */
export const connectionLabel = (from: string, to: string, port: Port): string => `${from} → ${to}:${port}`;

/** Every connection between these endpoints that the policies allow, by the rules of the Kubernetes API. */
export function allowedConnections(objects: readonly KubeObject[], endpoints: readonly Endpoint[]): string[] {
  const policies = objects.filter(isNetworkPolicy);
  const isOpen = (from: Endpoint, to: Endpoint, port: Port) =>
    allows(policies, 'Egress', from, to, port) && allows(policies, 'Ingress', to, from, port);
  return endpoints
    .flatMap((from) =>
      endpoints.flatMap((to) =>
        // Policies apply only to pods of their namespace.
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

/**
 * Whether `pod` may open (Egress) or accept (Ingress) a connection with `peer`. One rule of one policy is
 * enough.
 */
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
  wanted: Port,
): boolean {
  if (typeof port === 'string') throw new Error(`The port "${port}" has a name: policies here use numbers.`);
  const [number, wantedProtocol = 'TCP'] = String(wanted).split('/');
  return protocol === wantedProtocol && (port === undefined || port === Number(number));
}

function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, { labels, namespace }: Endpoint): boolean {
  // Network plug-ins differ in whether a block includes addresses of pods; this assumes that it does.
  if (ipBlock) return true;
  if (!labels || !matches(podSelector ?? {}, labels)) return false;
  // Without a namespace selector a peer is in the policy's own namespace, otherwise in the selected ones. No
  // policy here selects its own namespace, whose labels the cluster chooses.
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
