import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { inRepository } from '../paths.ts';
import { pins } from './pins.ts';

const read = (...path: string[]) => parse(readFileSync(inRepository(...path), 'utf8')) as unknown;

// A test of the Kubernetes tool compares the image of the overlays with that of docker-compose.yml.
it('builds the collector from components of the same release as its image and builder', () => {
  const { dist, ...parts } = read('deploy/otel/builder.yaml') as { dist: { version: string } } & Record<
    string,
    { gomod: string }[]
  >;
  const { 'x-images': images } = read('docker-compose.yml') as { 'x-images': Record<string, string> };
  const release = images['collector']?.split(':')[1];
  expect(dist.version).toBe(release);
  expect(pins.collector.version).toBe(release);

  const versions = Object.values(parts).flatMap((list) => list.map(({ gomod }) => gomod.split(' ')[1] ?? ''));
  const isStable = (version: string) => !version.startsWith('v0.');
  expect(new Set(versions.filter((version) => !isStable(version)))).toEqual(new Set([`v${release}`]));
  // Stable modules have a version number of their own for the same commit.
  expect(new Set(versions.filter(isStable)).size).toBe(1);
});
