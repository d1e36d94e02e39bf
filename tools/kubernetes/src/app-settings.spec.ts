import { apps, inRepository } from '@stoa/system';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { reads, settingsOf } from './app-settings.ts';

const { services } = parse(readFileSync(inRepository('docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, { environment: object } | undefined>;
};

// A test of libs/system compares these settings with those of a start without Docker.
it.each(apps)('docker-compose.yml gives %s only settings that it reads', async (app) => {
  const given = Object.keys(services[app]?.environment ?? {});
  expect(given.length).toBeGreaterThan(0);
  const settings = await settingsOf(app);
  expect(given.filter((name) => !reads(settings, name))).toEqual([]);
});
