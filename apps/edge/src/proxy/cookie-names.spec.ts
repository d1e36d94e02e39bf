import { expect, it } from '@jest/globals';
import { CookieNames } from './cookie-names.ts';

const names = new CookieNames(new URL('https://accounts.stoa.test'));

it.each([
  [
    'AUTH_SESSION_ID=a.b; Version=1; Path=/realms/stoa/; Secure; HttpOnly; SameSite=None',
    '__Host-AUTH_SESSION_ID=a.b; Path=/; Secure; Version=1; HttpOnly; SameSite=None',
  ],
  [
    'KEYCLOAK_SESSION="x=y";Path=/realms/stoa/;Max-Age=36000;SameSite=Lax',
    '__Host-KEYCLOAK_SESSION="x=y"; Path=/; Secure; Max-Age=36000; SameSite=Lax',
  ],
  [
    'KC_RESTART=; Domain=stoa.test; path=/realms/stoa; Max-Age=0',
    '__Host-KC_RESTART=; Path=/; Secure; Max-Age=0',
  ],
])('sets cookies with the __Host- prefix: %s [edge-1]', (theirs, ours) => {
  expect(names.toBrowser(theirs)).toBe(ours);
});

it('forwards only cookies with the __Host- prefix, which no sibling host can set [edge-2]', () => {
  const ours = '__Host-AUTH_SESSION_ID=a.b; __Host-KEYCLOAK_SESSION="x=y"';
  expect(names.toUpstream(ours)).toBe('AUTH_SESSION_ID=a.b; KEYCLOAK_SESSION="x=y"');
  const planted = [
    'AUTH_SESSION_ID=evil',
    '__host-AUTH_SESSION_ID=evil',
    '__Secure-AUTH_SESSION_ID=evil',
    '\u00a0__Host-AUTH_SESSION_ID=evil',
    '$Version=1',
    'x="; __Secure-y="',
  ];
  expect(names.toUpstream([...planted, ours].join('; '))).toBe(names.toUpstream(ours));
  for (const one of [...planted, '', undefined]) expect(names.toUpstream(one)).toBeUndefined();
});

it('does not forward the cookies of the proxy', () => {
  expect(names.toUpstream('__Host-stoa-device-abc=1; __Host-KC_RESTART=2; stoa-theme=dark')).toBe(
    'KC_RESTART=2',
  );
});

it('does not rename cookies without TLS, where browsers reject the prefix', () => {
  const plain = new CookieNames(new URL('http://localhost:8180'));
  expect(plain.toBrowser('KC_RESTART=1; Path=/realms/stoa/')).toBe('KC_RESTART=1; Path=/realms/stoa/');
  expect(plain.toUpstream('KC_RESTART=1; stoa-theme=dark')).toBe('KC_RESTART=1');
});
