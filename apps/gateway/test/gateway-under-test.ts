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
  /** A bearer token of the issuer. `claims` and `signing` change it for the tests of refusals. */
  readonly token: (
    caller: Caller,
    claims?: JWTPayload,
    signing?: { forged?: boolean; keyId?: string },
  ) => Promise<string>;
  /** The published key pairs `real` (id `test`) and `rsa` (RS256, which is not accepted), and an unpublished pair `forged`. */
  readonly keys: Readonly<Record<'real' | 'rsa' | 'forged', GenerateKeyPairResult>>;
  /** A NATS connection with the rights of a service. */
  readonly connectAs: (user: NatsUser) => Promise<Connection>;
  /** Stops the server of the issuer's keys. Fetched keys stay cached. */
  readonly loseKeys: () => void;
  /** Starts another gateway with the same settings and `settings`. */
  readonly addReplica: (
    settings?: Record<string, string>,
  ) => Promise<{ url: string; stop: () => Promise<void>; connected: () => Promise<unknown> }>;
  /** Stops NATS until `startNats`. This and the next three need `ownNats`. */
  readonly loseNats: () => Promise<void>;
  readonly startNats: () => Promise<void>;
  /** Suspends NATS with open connections until `resumeNats`. */
  readonly hangNats: () => Promise<void>;
  readonly resumeNats: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Options {
  /** Folder of the SPA's built files. */
  readonly webRoot?: string;
  /** Further settings. */
  readonly settings?: Record<string, string>;
  /** Starts a NATS server of this gateway's own, which the test may stop. */
  readonly ownNats?: boolean;
  /** Starts the gateway without NATS. `startNats` starts NATS. Needs `ownNats`. */
  readonly beforeNats?: boolean;
}

/** Starts the gateway with its own accounts and streams on NATS, and an issuer whose keys the tests hold. */
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
  // Realms also publish an encryption key, which must not verify signatures.
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
    // Long timeouts, so that a busy machine does not cause refusals.
    PAGE_PATIENCE_MS: '5000',
    READ_TIMEOUT_MS: '5000',
    HASH_KEY: 'known to the tests only',
    ...settings,
  });
  const open: Connection[] = [];
  const running: RunningApp = await runGateway();
  const app = running.app as NestFastifyApplication;
  // Before that, requests get 503.
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
      // An open connection would reconnect forever.
      await Promise.all(open.map((connection) => connection.close()));
      await own?.close();
      keys.close();
    },
  };
}
