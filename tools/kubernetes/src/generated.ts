import { apps, replaceBetweenMarkers, inRepository } from '@stoa/system';
import { readFileSync } from 'node:fs';
import { type Call, callGraph, type CallGraph, type Part, parts, publicEntryPoints } from './call-graph.ts';

const begin = '<!-- call graph: written by "npm run stoa generate call-graph" -->';
const end = '<!-- end of the call graph -->';

const shapes: Record<Part, string> = {
  nats: '[[NATS]]',
  postgres: '[(Postgres)]',
  s3: '[(MinIO / S3)]',
  keycloak: '[(Keycloak)]',
  mail: '[Mail server]',
  internet: '([Links of creators])',
  collector: '[Collector]',
  jaeger: '[Jaeger]',
  prometheus: '[Prometheus]',
};

const file = 'docs/architecture.md';

/** The call graph in docs/architecture.md, by the built apps. */
export async function generated(): Promise<Map<string, string>> {
  const graph = await callGraph('dist');
  const text = `\n\n${diagram(graph)}\n\n${table(graph)}\n\n`;
  return new Map([
    [file, replaceBetweenMarkers(readFileSync(inRepository(file), 'utf8'), [begin, end], text)],
  ]);
}

function diagram({ connections, requests, events }: CallGraph): string {
  const used = parts.filter((part) => part !== 'nats' && connections.some(({ to }) => to === part));
  // Everybody stands on NATS and sends telemetry; arrows for that would hide the rest.
  const drawn = used.filter((part) => !['collector', 'jaeger', 'prometheus'].includes(part));
  const lines = [
    'browser([Browser])',
    ...drawn.map((part) => `${part}${shapes[part]}`),
    `browser --> ${publicEntryPoints.join(' & ')}`,
    ...apps
      .filter((app) => requests[app].length > 0)
      .map((app) => `${app} -- "requests" --> ${list(requests[app])}`),
    ...apps.flatMap((app) => {
      const followers = apps.filter((other) => events[other].includes(app));
      return followers.length > 0 ? [`${app} -. "events" .-> ${list(followers)}`] : [];
    }),
    ...drawn.map((part) => `${list(callersOf(connections, part).filter(isDrawn))} --> ${part}`),
  ];
  return ['```mermaid', 'flowchart LR', ...lines.map((line) => `  ${line}`), '```'].join('\n');
}

function table({ connections, requests, events }: CallGraph): string {
  const names = [...new Set([...apps, ...connections.map(({ from }) => from)])];
  const rows = names.map((name) => [
    name,
    connections
      .filter(({ from }) => from === name)
      .map(({ to }) => to)
      .join(', '),
    (requests as Record<string, readonly string[]>)[name]?.join(', ') ?? '',
    (events as Record<string, readonly string[]>)[name]?.join(', ') ?? '',
  ]);
  const header = [
    'process',
    'opens connections to',
    'sends requests to (over NATS)',
    'follows events of (over NATS)',
  ];
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const list = (names: readonly string[]) => names.join(' & ');
const callersOf = (connections: readonly Call[], part: Part) =>
  connections.filter(({ to }) => to === part).map(({ from }) => from);
/** The steps that prepare the engines stand in the table only. */
const isDrawn = (name: string) => name === 'keycloak' || (apps as readonly string[]).includes(name);
