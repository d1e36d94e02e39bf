import * as contracts from '@stoa/contracts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository } from '../paths.ts';
import { services } from './names.ts';

const follows = /@Listens\(([^)]*)\)/g;

const announced = contracts as unknown as Record<string, Record<string, contracts.Event>>;

/** The subjects that a service follows, by their stream. */
export type FollowedSubjects = Partial<Record<contracts.Stream, string[]>>;

/** The subjects in the listeners of `service`, such as `@Listens(offerings.published)`. */
export function followedBy(service: string): FollowedSubjects {
  const folder = inRepository('apps', service, 'src');
  const named = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.listener.ts'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(follows)])
    .flatMap(([, list = '']) => list.split(','))
    .map((event) => event.trim())
    .filter(Boolean);
  const followed: FollowedSubjects = {};
  for (const event of [...new Set(named)].toSorted()) {
    const [contract = '', name = ''] = event.split('.');
    const { stream, subject } = announced[contract]?.[name] ?? {};
    if (stream && subject) (followed[stream] ??= []).push(subject);
  }
  return followed;
}

/** The content of deploy/nats/consumers.json: the services that follow events, with their subjects. */
export function followedEvents(): string {
  const all = services.map((service) => [service, followedBy(service)] as const);
  const followers = Object.fromEntries(all.filter(([, streams]) => Object.keys(streams).length > 0));
  return `${JSON.stringify(followers, null, 2)}\n`;
}
