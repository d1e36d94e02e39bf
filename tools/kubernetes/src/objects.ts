/** The fields of an API object that the checks use. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Labels };
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
  readonly automountServiceAccountToken?: boolean;
}

export type Labels = Readonly<Record<string, string>>;

interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: { readonly name: string; readonly key: string };
    readonly configMapKeyRef?: { readonly name: string; readonly key: string };
    readonly fieldRef?: { readonly fieldPath: string };
  };
}

interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string | number };
  readonly exec?: object;
  readonly tcpSocket?: object;
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
  readonly terminationGracePeriodSeconds?: number;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly EnvironmentVariable[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly resources?: { readonly requests?: Resources; readonly limits?: Resources };
}

type Resources = Readonly<Record<'cpu' | 'memory', string>>;

interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string; readonly items?: readonly { readonly key: string }[] };
}

export interface PodTemplate {
  readonly metadata: { readonly labels: Labels };
  readonly spec: {
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly terminationGracePeriodSeconds?: number;
    readonly automountServiceAccountToken?: boolean;
    readonly volumes?: readonly Volume[];
    readonly topologySpreadConstraints?: readonly object[];
  };
}

/** An object that creates pods. */
export interface Workload extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly strategy?: object;
    readonly template: PodTemplate;
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

const makePods = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'];

const isWorkload = (object: KubeObject): object is Workload => makePods.includes(object.kind);

/** The objects that create pods, immediately or on a schedule. */
export const workloadsOf = (objects: readonly KubeObject[]): Workload[] =>
  objects.flatMap((object) => {
    if (object.kind !== 'CronJob') return isWorkload(object) ? [object] : [];
    const { jobTemplate } = object.spec as { jobTemplate: Pick<Workload, 'spec'> };
    return [{ ...object, spec: jobTemplate.spec }];
  });

/** The name of a workload in labels, policies and the call graph. */
export const nameOf = (workload: Workload): string =>
  workload.spec.template.metadata.labels['app.kubernetes.io/name'] ?? workload.metadata.name;

export const containersOf = ({ spec }: Workload): readonly Container[] => [
  ...(spec.template.spec.initContainers ?? []),
  ...spec.template.spec.containers,
];
