import type { Caller } from '@stoa/contracts';
import type { Credential } from '@stoa/testing';
import { exportJWK, exportSPKI, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { createHmac, sign as signBytes, KeyObject, constants } from 'node:crypto';
import { type GatewayUnderTest, issuer } from './gateway-under-test.ts';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const bearer = (name: string, token: string): Credential => ({
  name,
  headers: { authorization: `Bearer ${token}` },
});

/** Credentials that the gateway must refuse, each named by its defect. */
export async function badCredentials(
  { keys: { real, rsa: published, forged }, token }: GatewayUnderTest,
  caller: Caller,
): Promise<Credential[]> {
  const now = Math.floor(Date.now() / 1000);
  const claims: JWTPayload = {
    sub: caller.uid,
    iss: issuer,
    aud: 'stoa-api',
    iat: now,
    exp: now + 300,
    typ: 'Bearer',
    azp: 'web',
    preferred_username: caller.username,
    email: caller.email,
    email_verified: true,
    displayName: caller.displayName,
    sid: crypto.randomUUID(),
  };
  const genuine = await token(caller);
  const [head = '', body = '', signature = ''] = genuine.split('.');

  const signed = (changed: object, header: Partial<JWTHeaderParameters> = {}, key = real) =>
    new SignJWT({ ...claims, ...changed })
      .setProtectedHeader({ alg: 'ES256', kid: 'test', ...header })
      .sign(key.privateKey);
  const unsigned = (alg: string) => `${part({ alg, typ: 'JWT', kid: 'test' })}.${part(claims)}.`;
  const mac = (alg: 'HS256' | 'HS384' | 'HS512', secret: Buffer | string, kid = 'test') => {
    const text = `${part({ alg, typ: 'JWT', kid })}.${part(claims)}`;
    return `${text}.${createHmac(alg.replace('HS', 'sha'), secret).update(text).digest('base64url')}`;
  };
  const pss = () => {
    const text = `${part({ alg: 'PS256', typ: 'JWT', kid: 'rsa' })}.${part(claims)}`;
    const key = {
      key: KeyObject.from(published.privateKey),
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: 32,
    };
    return `${text}.${signBytes('sha256', Buffer.from(text), key).toString('base64url')}`;
  };
  const rsa = (alg: 'RS256' | 'RS384' | 'RS512') => {
    const text = `${part({ alg, typ: 'JWT', kid: 'rsa' })}.${part(claims)}`;
    return `${text}.${signBytes(alg.replace('RS', 'sha'), Buffer.from(text), KeyObject.from(published.privateKey)).toString('base64url')}`;
  };
  const without = async (...names: string[]) =>
    signed(Object.fromEntries(names.map((name) => [name, undefined])));

  const formsOf = async (publicKey: typeof real.publicKey): Promise<[string, Buffer | string][]> => {
    const pem = await exportSPKI(publicKey);
    return [
      ['PEM', pem],
      ['PEM with a line end', `${pem.trim()}\n`],
      ['PEM without line ends', pem.replaceAll('\n', '')],
      ['DER', KeyObject.from(publicKey).export({ type: 'spki', format: 'der' })],
      ['JWK', JSON.stringify(await exportJWK(publicKey))],
    ];
  };
  const { n = '' } = await exportJWK(published.publicKey);
  const publicForms: [kid: string, form: string, key: Buffer | string][] = [
    ...(await formsOf(real.publicKey)).map((form) => ['test', ...form] as [string, string, Buffer | string]),
    ...(await formsOf(published.publicKey)).map(
      (form) => ['rsa', ...form] as [string, string, Buffer | string],
    ),
    ['rsa', 'PKCS1', KeyObject.from(published.publicKey).export({ type: 'pkcs1', format: 'pem' })],
    ['rsa', 'modulus', Buffer.from(n, 'base64url')],
    ['rsa', 'modulus as text', n],
  ];
  const ownJwk = { ...(await exportJWK(forged.publicKey)), kid: 'test', alg: 'ES256' };
  const own = (header: object) => signed({}, header as Partial<JWTHeaderParameters>, forged);

  return [
    { name: 'anonymous', headers: {} },
    bearer('empty', ''),
    { name: 'the word alone', headers: { authorization: 'Bearer' } },
    bearer('garbage', 'nonsense'),
    bearer('three dots', '...'),
    bearer('oversize', `${head}.${'A'.repeat(6000)}.${signature}`),
    bearer('expired', await signed({ exp: now - 1 })),
    bearer('expired long ago', await signed({ exp: 1 })),
    bearer('without an end', await without('exp')),
    bearer('not valid yet', await signed({ nbf: now + 3600 })),
    ...['none', 'None', 'NONE', 'nOnE', ''].map((alg) => bearer(`alg "${alg}"`, unsigned(alg))),
    bearer('alg none with the signature', `${part({ alg: 'none', kid: 'test' })}.${body}.${signature}`),
    ...publicForms.flatMap(([kid, form, key]) =>
      (['HS256', 'HS512'] as const).map((alg) =>
        bearer(`${alg} by the public key ${kid} as ${form}`, mac(alg, key, kid)),
      ),
    ),
    bearer('HS256 by nothing', mac('HS256', '')),
    bearer('HS256 with a kid as path', mac('HS256', '', '../../../../../../dev/null')),
    bearer('HS256 with a kid as SQL', mac('HS256', 'x', "x' UNION SELECT 'x")),
    bearer('unknown kid', await signed({}, { kid: 'nobody-knows' }, forged)),
    bearer('real kid, own key', await own({})),
    bearer("the RSA key's kid, own key", await own({ kid: 'rsa' })),
    bearer("the RSA key under the signing key's kid", await signed({}, { alg: 'RS256' }, published)),
    bearer("the signing key under the RSA key's kid", await signed({}, { kid: 'rsa' })),
    bearer('RS256 by a published key', rsa('RS256')),
    bearer("the encryption key's kid", await own({ kid: 'encryption' })),
    bearer('no kid, own key', await own({ kid: undefined })),
    bearer('RS384', rsa('RS384')),
    bearer('RS512', rsa('RS512')),
    bearer('PS256', pss()),
    bearer('jwk in the header', await own({ jwk: ownJwk })),
    bearer('jku in the header', await own({ jku: 'http://127.0.0.1:9/keys' })),
    bearer('x5u in the header', await own({ x5u: 'http://127.0.0.1:9/cert' })),
    bearer('kid as path', await own({ kid: '/etc/passwd' })),
    bearer('kid as SQL', await own({ kid: "' OR 1=1 --" })),
    bearer('changed subject', `${head}.${part({ ...claims, sub: crypto.randomUUID() })}.${signature}`),
    bearer('changed end', `${head}.${part({ ...claims, exp: now + 999_999 })}.${signature}`),
    bearer('no signature', `${head}.${body}.`),
    bearer('no signature and no dot', `${head}.${body}`),
    bearer('half a signature', `${head}.${body}.${signature.slice(0, 40)}`),
    bearer('a longer signature', `${genuine}AAAA`),
    bearer('ID token', await signed({ typ: 'ID' })),
    bearer('refresh token', await signed({ typ: 'Refresh' })),
    bearer('offline token', await signed({ typ: 'Offline' })),
    bearer('no kind', await without('typ')),
    ...(await Promise.all(
      ['account', 'security-admin-console', 'identity', 'admin-cli', 'WEB'].map(async (azp) =>
        bearer(`client ${azp}`, await signed({ azp })),
      ),
    )),
    bearer('no client', await without('azp')),
    bearer('another realm', await signed({ iss: issuer.replace('/stoa', '/master') }, {}, forged)),
    bearer('wrong issuer, good signature', await signed({ iss: issuer.replace('/stoa', '/master') })),
    bearer('issuer with a slash', await signed({ iss: `${issuer}/` })),
    bearer('issuer in capitals', await signed({ iss: issuer.toUpperCase() })),
    bearer('no issuer', await without('iss')),
    bearer('wrong audience', await signed({ aud: 'account' })),
    bearer('two wrong audiences', await signed({ aud: ['account', 'stoa-api-2'] })),
    bearer('no audience', await without('aud')),
    bearer('a subject that is no id', await signed({ sub: 'admin' })),
    bearer('no subject', await without('sub')),
    { name: 'in the query', headers: {}, query: `access_token=${genuine}` },
    { name: 'as token in the query', headers: {}, query: `token=${genuine}` },
    { name: 'in a cookie', headers: { cookie: `access_token=${genuine}; Authorization=Bearer ${genuine}` } },
    { name: 'X-Authorization', headers: { 'x-authorization': `Bearer ${genuine}` } },
    { name: 'X-Access-Token', headers: { 'x-access-token': genuine } },
    { name: 'Proxy-Authorization', headers: { 'proxy-authorization': `Bearer ${genuine}` } },
    {
      name: 'Basic',
      headers: { authorization: `Basic ${Buffer.from(`web:${genuine}`).toString('base64')}` },
    },
    { name: 'another scheme', headers: { authorization: `Token ${genuine}` } },
    { name: 'no scheme', headers: { authorization: genuine } },
    {
      name: 'X-User',
      headers: { 'x-user': caller.uid, 'stoa-caller': part(caller), 'x-forwarded-user': caller.uid },
    },
  ];
}
