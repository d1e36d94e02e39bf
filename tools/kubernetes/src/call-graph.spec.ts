import { expect, it } from '@jest/globals';
import { callGraph, undeclaredAddresses } from './call-graph.ts';

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
