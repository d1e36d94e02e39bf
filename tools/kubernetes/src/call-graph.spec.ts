import { expect, it } from '@jest/globals';
import { callGraph, undeclaredAddresses } from './call-graph.ts';

it('every address in the settings declares its target (add .meta(reaches(…)) to the variable)', async () => {
  await expect(undeclaredAddresses()).resolves.toEqual([]);
});

it('derives the call graph from settings, contracts and listeners', async () => {
  const { connections, requests, events } = await callGraph();

  expect(connections).toContainEqual({ from: 'media', to: 's3' });
  expect(connections).not.toContainEqual({ from: 'gateway', to: 'postgres' });
  expect(requests.gateway).toContain('creators');
  expect(events.creators).toEqual(['gateway', 'identity', 'offerings']);
});
