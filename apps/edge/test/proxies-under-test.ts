import { testParts } from '@stoa/testing';
import type { FastifyInstance } from 'fastify';
import { Logger } from '@nestjs/common';
import { connect } from 'node:net';
import type { Bus } from '@stoa/messaging';
import { EdgeConfig } from '../src/edge.config.ts';
import { MediaProxy } from '../src/media/media.proxy.ts';
import { UsedForms } from '../src/media/used-forms.ts';

export const site = 'https://stoa.test';
export const deviceKey = 'a key of the tests alone';
export const accounts = 'https://accounts.stoa.test';
/** The public address in signed links. No DNS server knows it; the tests connect to the proxy's port on 127.0.0.1 instead. */
export const files = 'http://files.stoa.test:9000';

/** The configuration of the edge for the parts of this test run, with changes. */
export function configuration(changes: Record<string, string> = {}): EdgeConfig {
  const { endpoint, buckets } = testParts().minio;
  const kept = Object.keys(changes).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, {
    SERVICE_NAME: 'edge',
    NATS_URL: 'nats://127.0.0.1:1',
    NATS_USER: 'edge',
    NATS_PASSWORD: 'none',
    HEALTH_PORT: '0',
    SITE_URL: site,
    SIGN_IN_PORT: '0',
    MEDIA_PORT: '0',
    KEYCLOAK_URL: accounts,
    KEYCLOAK_INTERNAL_URL: 'http://127.0.0.1:1',
    KEYCLOAK_REALM: 'stoa',
    S3_PUBLIC_ENDPOINT: files,
    S3_ENDPOINT: endpoint,
    S3_STAGING_BUCKET: buckets.staging,
    S3_PUBLIC_BUCKET: buckets.public,
    S3_FILES_BUCKET: buckets.files,
    TRUST_PROXY: '0',
    DEVICE_KEY: deviceKey,
    ...changes,
  });
  Logger.overrideLogger(false);
  const config = new EdgeConfig();
  // Restores the environment, so that the changes do not affect later configurations.
  for (const [name, value] of kept) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
  return config;
}

/** Listens on a free port, and returns the address. */
export const listen = (proxy: FastifyInstance): Promise<string> =>
  proxy.listen({ host: '127.0.0.1', port: 0 });

/** Creates the proxy of the object store. It does not share used forms with other replicas. */
export function mediaProxy(changes: Record<string, string> = {}): MediaProxy {
  const config = configuration(changes);
  return new MediaProxy(config, new UsedForms(config, {} as Bus));
}

/** Sends the lines unchanged, unlike an HTTP client, and returns the whole response. */
export function exchange(origin: string, lines: readonly string[], body = ''): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  let received = '';
  socket.setTimeout(10_000, () => socket.destroy(new Error(`no whole answer: ${received}`)));
  socket.on('error', reject);
  socket.on('data', (data) => (received += data.toString('latin1')));
  socket.on('end', () => resolve(received));
  socket.write([...lines, 'Connection: close', '', body].join('\r\n'), 'latin1');
  return promise;
}
