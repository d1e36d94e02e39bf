import { inRepository } from '@stoa/stack';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

/** Where OpenTelemetry's HTTP histograms count, in seconds; an objective between two of them cannot be measured. */
export const buckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10] as const;

const Journey = z.strictObject({
  title: z.string().min(1),
  /** What is promised, in words that a user would agree to. */
  promise: z.string().min(1),
  /** Share of requests, in percent of thirty days, that must keep the promise. */
  objective: z.number().min(90).lt(100),
  /** Within which time an answer counts. */
  seconds: z.literal(buckets),
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
