import { inRepository } from '@stoa/system';
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { expect, it } from '@jest/globals';
import { callGraph, undeclaredAddresses } from './call-graph.ts';
import { withCallGraph } from './call-graph.section.ts';

const document = inRepository('docs/architecture.md');

it('knows what is reached through every address in the settings: add .meta(reaches(…)) to the variable', async () => {
  await expect(undeclaredAddresses()).resolves.toEqual([]);
});

it('follows what the settings, the contracts and the listeners say', async () => {
  const { connections, requests, events } = await callGraph();

  expect(connections).toContainEqual({ from: 'media', to: 's3' });
  expect(connections).not.toContainEqual({ from: 'gateway', to: 'postgres' });
  expect(requests.gateway).toContain('creators');
  expect(events.creators).toEqual(['identity', 'offerings']);
});

it('stands in docs/architecture.md as it is (`npm run stoa generate call-graph` writes it)', async () => {
  const written = withCallGraph(readFileSync(document, 'utf8'), await callGraph());
  const style = await resolveConfig(document);
  const formatted = await format(written, { ...style, filepath: document });
  if (process.env['STOA_WRITE']) writeFileSync(document, formatted);
  expect(readFileSync(document, 'utf8')).toBe(formatted);
});
