import { type Caller, operatorRole } from '@stoa/contracts';
import { Bus, connectBus } from '@stoa/messaging';
import type { RunningApp } from '@stoa/platform';
import { type NatsUser, requestKeys, startNats } from '@stoa/testing';
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
  /** A bearer token that the issuer signed; `claims` and `key` bend it for the tests of refusals. */
  readonly token: (
    caller: Caller,
    claims?: JWTPayload,
    bend?: { forged?: boolean; keyId?: string; former?: boolean },
  ) => Promise<string>;
  /** The issuer's own key pairs, with the ids `test` and `former` (RS256, as it signed before), and one that is not the issuer's. */
  readonly keys: Readonly<Record<'real' | 'former' | 'forged', GenerateKeyPairResult>>;
  /** A connection with the rights of a service, to answer in its place. */
  readonly connectAs: (user: NatsUser) => Promise<Connection>;
  /** The issuer's keys cannot be fetched any more; those fetched before stay known. */
  readonly loseKeys: () => void;
  /** Another gateway beside the first, on the same NATS unless `settings` say otherwise. */
  readonly addReplica: (
    settings?: Record<string, string>,
  ) => Promise<{ url: string; stop: () => Promise<void>; connected: () => Promise<unknown> }>;
  /** The broker goes, until `startNats`. */
  readonly loseNats: () => Promise<void>;
  readonly startNats: () => Promise<void>;
  /** The broker hangs, connections open, until `resumeNats`. */
  readonly hangNats: () => void;
  readonly resumeNats: () => void;
  readonly stop: () => Promise<void>;
}

interface Options {
  /** Folder of the SPA's built files. */
  readonly webRoot?: string;
  /** Further settings. */
  readonly settings?: Record<string, string>;
  /** Whether the gateway starts first, and NATS with `startNats`. */
  readonly beforeNats?: boolean;
}

/** Starts the gateway on a NATS server of its own, with an issuer whose keys the tests hold. */
export async function startGatewayUnderTest({
  webRoot = '/nowhere',
  settings = {},
  beforeNats = false,
}: Options = {}): Promise<GatewayUnderTest> {
  const nats = await startNats();
  if (beforeNats) await nats.leave();
  const extractable = { extractable: true };
  const [real, forged, former, encryption] = await Promise.all([
    generateKeyPair('ES256', extractable),
    generateKeyPair('ES256', extractable),
    generateKeyPair('RS256', extractable),
    generateKeyPair('RSA-OAEP'),
  ]);
  // A realm has a key of this kind too, and it signs nothing.
  const noSigner = {
    ...(await exportJWK(encryption.publicKey)),
    kid: 'encryption',
    alg: 'RSA-OAEP',
    use: 'enc',
  };
  const jwk = { ...(await exportJWK(real.publicKey)), kid: 'test', alg: 'ES256', use: 'sig' };
  const formerJwk = { ...(await exportJWK(former.publicKey)), kid: 'former', alg: 'RS256', use: 'sig' };
  const published = JSON.stringify({ keys: [jwk, formerJwk, noSigner] });
  const keys = createServer((_, response) => response.end(published));
  await new Promise<void>((resolve) => keys.listen(0, '127.0.0.1', resolve));
  const keysPort = (keys.address() as AddressInfo).port;
  Object.assign(process.env, {
    SERVICE_NAME: 'gateway',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    NATS_URL: nats.url,
    NATS_USER: 'gateway',
    NATS_PASSWORD: nats.credentials('gateway').pass,
    REQUEST_SIGNING_KEY: requestKeys.signingKey,
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
    // A crowded machine is no outage.
    PAGE_PATIENCE_MS: '5000',
    READ_TIMEOUT_MS: '5000',
    HASH_KEY: 'known to the tests only',
    ...settings,
  });
  const open: Connection[] = [];
  const running: RunningApp = await runGateway();
  const app = running.app as NestFastifyApplication;
  // What is asked before is 503, as it should be.
  if (!beforeNats) await app.get(Bus).opened;
  return {
    url: await app.getUrl(),
    app,
    token: (
      { uid, sid, username, email, emailVerified, displayName, isOperator, authenticatedAt },
      claims = {},
      { forged: bad = false, former: old = false, keyId = old ? 'former' : 'test' } = {},
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
        .setProtectedHeader({ alg: old ? 'RS256' : 'ES256', kid: keyId })
        .setSubject(uid)
        .setIssuer((claims.iss as string | undefined) ?? issuer)
        .setAudience((claims.aud as string | undefined) ?? 'stoa-api')
        .setIssuedAt(claims.iat)
        .setExpirationTime(claims.exp ?? '5m')
        .sign((bad ? forged : old ? former : real).privateKey),
    keys: { real, former, forged },
    connectAs: async (user) => {
      const password = nats.credentials(user).pass;
      const connection = await connectBus({ url: nats.url, name: 'test', user, password });
      open.push(connection);
      return connection;
    },
    loseKeys: () => {
      keys.close();
      keys.closeAllConnections();
    },
    loseNats: nats.leave,
    startNats: nats.comeBack,
    hangNats: nats.hang,
    resumeNats: nats.goOn,
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
      // One that is left open would look for its server for ever.
      await Promise.all(open.map((connection) => connection.close()));
      await nats.stop();
      keys.close();
    },
  };
}
