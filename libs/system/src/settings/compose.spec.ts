import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { imageOf } from '../fetch/pins.ts';
import { inRepository } from '../paths.ts';
import { describeParts } from './description.ts';
import { apps, natsUsers } from './names.ts';
import { defaultPorts } from './ports.ts';
import { temporarySecrets } from './secrets.ts';

interface Service {
  image?: string;
  environment: Record<string, string | null>;
  ports?: string[];
  volumes?: string[];
  profiles?: string[];
}

interface ComposeFile {
  services: Record<string, Service>;
}

const text = readFileSync(inRepository('docker-compose.yml'), 'utf8');
const { services } = parse(text, { merge: true }) as ComposeFile;
const secrets = temporarySecrets();
const description = describeParts(defaultPorts({}), secrets);

// Addresses within the network of the containers.
const containers = {
  postgres: 'postgres:5432',
  nats: 'nats:4222',
  minio: 'minio:9000',
  keycloak: 'keycloak:8080',
  smtp: 'mail:1025',
  mail: 'mail:8025',
};
const plain = describeParts(defaultPorts({}), secrets, containers, 'minio');
const withoutPasswords = (environment: object) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, String(value).replace(/:[^:@]+@/, '@')]),
  );

/**
 * Without settings that differ on purpose: containers listen on all interfaces, and compose configures their
 * telemetry.
 */
const namesOf = (environment: object) =>
  Object.keys(environment).filter((name) => name !== 'BIND_ADDRESS' && !name.startsWith('OTEL_'));

describe('docker-compose.yml', () => {
  it.each(apps)('gives %s the same settings as without Docker', (app) => {
    const environment = services[app]?.environment ?? {};
    expect(namesOf(environment).toSorted()).toEqual(namesOf(description.environments[app]).toSorted());
  });

  it('gives each app its own NATS password only [system-2]', () => {
    for (const app of apps) {
      const used = natsUsers.filter((user) =>
        JSON.stringify(services[app]).includes(`NATS_${user.toUpperCase()}_`),
      );
      expect(used).toEqual([app]);
    }
  });

  it('requires only secrets that the stack tool generates', () => {
    const demanded = [...text.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name]) => name);
    expect(demanded.length).toBeGreaterThan(0);
    expect(Object.keys(secrets)).toEqual(expect.arrayContaining(demanded));
  });

  it('publishes ports on 127.0.0.1 only', () => {
    const published = Object.values(services).flatMap(({ ports }) => ports ?? []);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('starts observability services only with their profile', () => {
    const watching = Object.entries(services).filter(([, { profiles }]) =>
      profiles?.includes('observability'),
    );
    expect(watching.map(([name]) => name)).toEqual(['collector', 'jaeger', 'prometheus', 'grafana']);
  });

  it('mounts only files that exist in the repository', () => {
    const mounted = Object.values(services)
      .flatMap(({ volumes }) => volumes ?? [])
      .filter((volume) => volume.startsWith('./'))
      .map((volume) => volume.split(':')[0] ?? '');
    expect(mounted.filter((path) => !existsSync(inRepository(path)))).toEqual([]);
  });

  it('replaces MinIO by versitygw with deploy/versitygw', () => {
    const override = parse(readFileSync(inRepository('deploy/versitygw/compose.yaml'), 'utf8')) as {
      services: { minio: { image: string }; 'set-up': { environment: string[] } };
    };
    expect(override.services.minio.image).toBe(imageOf('versitygw'));
    expect(override.services['set-up'].environment).toEqual(['STOA_STORE=versitygw']);
  });

  it.each(apps)('gives %s with deploy/tls the same settings as STOA_TLS=on', (app) => {
    const ours = describeParts(defaultPorts({}), secrets, containers, 'minio', '/certificates');
    const override = parse(readFileSync(inRepository('deploy/tls/compose.yaml'), 'utf8'), {
      merge: true,
    }) as ComposeFile;
    const given = override.services[app]?.environment ?? {};
    const wanted = Object.entries(ours.environments[app]).filter(
      ([name, value]) => plain.environments[app][name] !== value,
    );
    expect(withoutPasswords(given)).toEqual(withoutPasswords(Object.fromEntries(wanted)));
  });

  it('has at most 300 lines', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(300);
  });
});
