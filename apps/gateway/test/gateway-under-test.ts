import { type Caller, operatorRole } from '@stoa/contracts';
import { Bus, connectBus } from '@stoa/messaging';
import type { RunningApp } from '@stoa/platform';
import { type NatsUser, openNats, startNats } from '@stoa/testing';
import { exportJWK, generateKeyPair, type GenerateKeyPairResult, type JWTPayload, SignJWT } from 'jose';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { runGateway } from '../src/gateway.app.ts';

type Connection = Awaited<ReturnType<typeof connectBus>>;

export const issuer = 'http://localhost/realms/stoa';

export interface GatewayUnderTest {
  readonly url: string;
  readonly app: NestFastifyApplication;
  /** Signs an access token. Tests of refusals change it by `claims` and `signing`. */
  readonly token: (
    caller: Caller,
    claims?: JWTPayload,
    signing?: { forged?: boolean; keyId?: string },
  ) => Promise<string>;
  /** Keys of the issuer: `real` is published, `rsa` is published with a refused algorithm, `forged` is not published. */
  readonly keys: Readonly<Record<'real' | 'rsa' | 'forged', GenerateKeyPairResult>>;
  /** Opens a NATS connection with the rights of a service. */
  readonly connectAs: (user: NatsUser) => Promise<Connection>;
  /** Stops the server that publishes the issuer's keys. The gateway still has those that it has fetched. */
  readonly loseKeys: () => void;
  /** Starts another gateway with the same settings, except for `settings`. */
  readonly addReplica: (
    settings?: Record<string, string>,
  ) => Promise<{ url: string; stop: () => Promise<void>; connected: () => Promise<unknown> }>;
  /** Stops NATS until `startNats`. This function and the next three need `ownNats`. */
  readonly loseNats: () => Promise<void>;
  readonly startNats: () => Promise<void>;
  /** Suspends NATS until `resumeNats`. Its connections stay open. */
  readonly hangNats: () => Promise<void>;
  readonly resumeNats: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Options {
  /** Folder with the files of the web app. */
  readonly webRoot?: string;
  readonly settings?: Record<string, string>;
  /** Whether to start a separate NATS server, which the test may stop. */
  readonly ownNats?: boolean;
  /** Whether to start the gateway before NATS, which `startNats` starts. Needs `ownNats`. */
  readonly beforeNats?: boolean;
}

/** Starts the gateway with separate NATS accounts and streams, and with an issuer of tokens that the tests control. */
export async function startGatewayUnderTest({
  webRoot = '/nowhere',
  settings = {},
  ownNats = false,
  beforeNats = false,
}: Options = {}): Promise<GatewayUnderTest> {
  const own = ownNats ? await startNats() : undefined;
  const nats = own ?? (await openNats());
  const { user, pass } = nats.credentials('gateway');
  const fault = (verb: 'stop' | 'start' | 'pause' | 'resume') => async () => {
    if (!own) throw new Error('All test files share this NATS: start the gateway with `ownNats`.');
    await own[verb]();
  };
  if (beforeNats) await fault('stop')();
  const extractable = { extractable: true };
  const [real, forged, rsa, encryption] = await Promise.all([
    generateKeyPair('ES256', extractable),
    generateKeyPair('ES256', extractable),
    generateKeyPair('RS256', extractable),
    generateKeyPair('RSA-OAEP'),
  ]);
  // Keycloak also publishes a key for encryption. The gateway must not accept signatures of it.
  const encryptionJwk = {
    ...(await exportJWK(encryption.publicKey)),
    kid: 'encryption',
    alg: 'RSA-OAEP',
    use: 'enc',
  };
  const jwk = { ...(await exportJWK(real.publicKey)), kid: 'test', alg: 'ES256', use: 'sig' };
  const rsaJwk = { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', alg: 'RS256', use: 'sig' };
  const published = JSON.stringify({ keys: [jwk, rsaJwk, encryptionJwk] });
  const keys = createServer((_, response) => response.end(published));
  await new Promise<void>((resolve) => keys.listen(0, '127.0.0.1', resolve));
  const keysPort = (keys.address() as AddressInfo).port;
  Object.assign(process.env, {
    SERVICE_NAME: 'gateway',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    NATS_URL: nats.url,
    NATS_USER: user,
    NATS_PASSWORD: pass,
    HEALTH_PORT: '0',
    PORT: '0',
    BIND_ADDRESS: '127.0.0.1',
    SITE_URL: 'http://localhost:8080',
    OIDC_ISSUER: issuer,
    OIDC_JWKS_URL: `http://127.0.0.1:${keysPort}/`,
    OIDC_AUDIENCE: 'stoa-api',
    KEYCLOAK_URL: 'http://localhost:8180',
    KEYCLOAK_REALM: 'stoa',
    KEYCLOAK_CLIENT_ID: 'web',
    MEDIA_PUBLIC_URL: 'http://localhost:9000/stoa-public',
    S3_PUBLIC_ENDPOINT: 'http://localhost:9000',
    WEB_ROOT: webRoot,
    // Longer than usual, so that a busy machine causes no timeouts.
    PAGE_PATIENCE_MS: '5000',
    READ_TIMEOUT_MS: '5000',
    HASH_KEY: 'known to the tests only',
    ...settings,
  });
  const open: Connection[] = [];
  const running: RunningApp = await runGateway();
  const app = running.app as NestFastifyApplication;
  // Until NATS is connected, requests would get 503.
  if (!beforeNats) await app.get(Bus).opened;
  return {
    url: await app.getUrl(),
    app,
    token: (
      { uid, sid, username, email, emailVerified, displayName, isOperator, authenticatedAt },
      claims = {},
      { forged: bad = false, keyId = 'test' } = {},
    ) =>
      new SignJWT({
        typ: 'Bearer',
        sid,
        azp: 'web',
        preferred_username: username,
        email,
        email_verified: emailVerified,
        displayName,
        ...(isOperator && { roles: [operatorRole] }),
        ...(authenticatedAt && { auth_time: Date.parse(authenticatedAt) / 1000 }),
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', kid: keyId })
        .setSubject(uid)
        .setIssuer((claims.iss as string | undefined) ?? issuer)
        .setAudience((claims.aud as string | undefined) ?? 'stoa-api')
        .setIssuedAt(claims.iat)
        .setExpirationTime(claims.exp ?? '5m')
        .sign((bad ? forged : real).privateKey),
    keys: { real, rsa, forged },
    connectAs: async (as) => {
      const { user, pass: password } = nats.credentials(as);
      const connection = await connectBus({ url: nats.url, name: 'test', user, password });
      open.push(connection);
      return connection;
    },
    loseKeys: () => {
      keys.close();
      keys.closeAllConnections();
    },
    loseNats: fault('stop'),
    startNats: fault('start'),
    hangNats: fault('pause'),
    resumeNats: fault('resume'),
    addReplica: async (others = {}) => {
      const before = { ...process.env };
      Object.assign(process.env, others);
      const { app: other, stop } = await runGateway();
      Object.assign(process.env, before);
      const url = await (other as NestFastifyApplication).getUrl();
      return { url, stop, connected: () => other.get(Bus).opened };
    },
    stop: async () => {
      await running.stop();
      // A connection that stays open would try to reconnect for ever.
      await Promise.all(open.map((connection) => connection.close()));
      await own?.close();
      keys.close();
    },
  };
}
