import { inRepository } from '@stoa/system';
import { durationBounds } from '@stoa/telemetry';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const Journey = z.strictObject({
  title: z.string().min(1),
  /** What is promised, in words that a user would agree to. */
  promise: z.string().min(1),
  /** Share of requests, in percent of thirty days, that must keep the promise. */
  objective: z.number().min(90).lt(100),
  /** Within which time an answer counts; apps/e2e/telemetry/metrics.spec.ts holds it to the bounds that are sent. */
  seconds: z.literal(durationBounds),
  methods: z.array(z.enum(['GET', 'POST', 'PUT', 'DELETE'])).min(1),
  /** Route templates of the gateway; every method with every route is meant. */
  routes: z.array(z.string().startsWith('/')).min(1),
});

/** One thing that a user comes to do, and how reliably it must work. */
export type Journey = z.infer<typeof Journey> & { readonly name: string };

/** The journeys of deploy/slo, each in a file that bears its name. */
export function readJourneys(folder = inRepository('deploy/slo')): Journey[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .map((file) => ({
      name: basename(file, '.yaml'),
      ...Journey.parse(parse(readFileSync(`${folder}/${file}`, 'utf8'))),
    }));
}

/** Share of requests that may break the promise, from 0 to 1. */
export const budget = ({ objective }: Journey): number => Number((1 - objective / 100).toPrecision(6));
