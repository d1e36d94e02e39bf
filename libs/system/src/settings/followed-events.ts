import * as contracts from '@stoa/contracts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository } from '../paths.ts';
import { services } from './names.ts';

const follows = /@Listens\(([^)]*)\)/g;

const announced = contracts as unknown as Record<string, Record<string, contracts.Event>>;

/** The subjects on EVENTS that `service` follows, as its listeners name them: `@Listens(offerings.published)`. */
function followedBy(service: string): string[] {
  const folder = inRepository('apps', service, 'src');
  const named = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.listener.ts'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(follows)])
    .flatMap(([, list = '']) => list.split(','))
    .map((event) => event.trim())
    .filter(Boolean);
  const events = named.map((event) => {
    const [contract = '', name = ''] = event.split('.');
    return announced[contract]?.[name];
  });
  const subjects = events.flatMap((event) => (event?.stream === 'EVENTS' ? [event.subject] : []));
  return [...new Set(subjects)].toSorted();
}

/** What deploy/nats/consumers.json says: who follows anything, and what. */
export function followedEvents(): string {
  const all = services.map((service) => [service, followedBy(service)] as const);
  const followers = Object.fromEntries(all.filter(([, subjects]) => subjects.length > 0));
  return `${JSON.stringify(followers, null, 2)}\n`;
}
