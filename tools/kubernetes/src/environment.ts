import type { Container, KubeObject, PodTemplate } from './objects.ts';

/**
 * The environment that the kubelet gives a container: first the variables of `envFrom`, then `env`, with each
 * `$(NAME)` replaced by an earlier variable. `secretOf` returns the values of secrets.
 *
 * @throws Error for a `$(NAME)` without an earlier variable.
 */
export function environmentOf(
  container: Container,
  template: PodTemplate,
  objects: readonly KubeObject[],
  secretOf: (key: string) => string,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const { configMapRef } of container.envFrom ?? [])
    Object.assign(environment, configMap(objects, configMapRef.name));
  for (const { name, value, valueFrom } of container.env ?? []) {
    if (value !== undefined) environment[name] = expanded(value, environment, `${container.name}, ${name}`);
    else if (valueFrom?.secretKeyRef) environment[name] = secretOf(valueFrom.secretKeyRef.key);
    else if (valueFrom?.fieldRef) environment[name] = field(valueFrom.fieldRef.fieldPath, template);
    else if (valueFrom?.configMapKeyRef) {
      const { name: map, key } = valueFrom.configMapKeyRef;
      environment[name] = configMap(objects, map)[key] ?? '';
    } else throw new Error(`${container.name} has a variable ${name} without a value.`);
  }
  return environment;
}

/** Variables in a container's own `env` that neither its program nor a later `$(NAME)` uses. */
export function unreadVariables({ env = [] }: Container, isRead: (name: string) => boolean): string[] {
  return env
    .map(({ name }, index) => ({ name, later: env.slice(index + 1) }))
    .filter(({ name, later }) => !isRead(name) && !later.some(({ value }) => value?.includes(`$(${name})`)))
    .map(({ name }) => name);
}

function configMap(objects: readonly KubeObject[], name: string): Readonly<Record<string, string>> {
  const found = objects.find((object) => object.kind === 'ConfigMap' && object.metadata.name === name);
  if (!found?.data) throw new Error(`There is no ConfigMap ${name}.`);
  return found.data;
}

function expanded(value: string, known: Readonly<Record<string, string>>, place: string): string {
  return value.replaceAll(/\$\((\w+)\)/g, (_, name: string) => {
    const found = known[name];
    if (found === undefined) throw new Error(`${place}: $(${name}) names no earlier variable.`);
    return found;
  });
}

/** Returns the value of a field of the pod. It supports only labels and the pod's own name. */
function field(path: string, { metadata }: PodTemplate): string {
  const label = /^metadata\.labels\['(.+)'\]$/.exec(path)?.[1];
  if (label === undefined) return 'pod-0';
  const value = metadata.labels[label];
  if (value === undefined) throw new Error(`The pod has no label ${label}.`);
  return value;
}
