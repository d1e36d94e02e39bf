import { inRepository } from '@stoa/system';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const found = (file: string, pattern: RegExp) => pattern.exec(readFileSync(inRepository(file), 'utf8'))?.[1];

it('the Dockerfile and docker-compose.yml name the same base image', () => {
  const own = found('Dockerfile', /^ARG NODE_IMAGE=(\S+)$/m);
  expect(own).toMatch(/^node:\d+\.\d+\.\d+-/);
  expect(found('docker-compose.yml', /&node-image (\S+)$/m)).toBe(own);
});
