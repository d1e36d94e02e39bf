import { type RealmPerson, testParts } from '@stoa/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EdgeUnderTest } from './keycloak-under-test.ts';

let edge: EdgeUnderTest;
let person: RealmPerson;
beforeAll(async () => {
  edge = await EdgeUnderTest.open({ LOG_IN_LIMIT_PER_HOUR: '1000', ACCOUNT_TRIES: '1000' });
  person = await edge.realm.signUp();
});
afterAll(() => edge.stop());

describe('parameters of OAuth', () => {
  it.each(['a+b c&d=e;f', '100%', '%2F', 'a%2Bb', '{"to":"/x?y=1#z"}', 'é日', "'(*)!~`|\\", '=&=&', '  '])(
    'return to the site unchanged: state %j',
    async (state) => {
      const visitor = edge.visitor();
      await visitor.begin({ state, response_mode: 'query' });
      await visitor.logIn(person.username, person.password);
      expect(visitor.callback?.searchParams.get('state')).toBe(state);
      await visitor.takeTokens();
    },
  );

  it.each(['ada+lists@example.test', 'a b', "o'b&c=d?e%+;@example.test"])(
    'fill in the form unchanged: login_hint %j',
    async (login_hint) => {
      const visitor = edge.visitor();
      await visitor.begin({ login_hint });
      const [, value = ''] = /<input[^>]*name="username"[^>]*value="([^"]*)"/.exec(visitor.html) ?? [];
      expect(value.replaceAll('&amp;', '&').replaceAll('&#39;', "'")).toBe(login_hint);
    },
  );

  it('cannot redirect to another address than the site', async () => {
    const { siteUrl } = testParts();
    for (const redirect_uri of [
      `${siteUrl}/auth/callback@evil.test`,
      `${siteUrl}/auth/callback/../x`,
      `${siteUrl}/auth/callback%2f..`,
      `${siteUrl}/auth/callback;x`,
      `${siteUrl}\\@evil.test`,
    ]) {
      const visitor = edge.visitor();
      await visitor.begin({ redirect_uri });
      expect([redirect_uri, visitor.status, visitor.forms]).toEqual([redirect_uri, 400, []]);
    }
  });
});

describe('an action that a session may not request', () => {
  const ask = (query: string) => `protocol/openid-connect/auth?client_id=web&${query}`;

  it.each([
    'kc_action=UPDATE_PROFILE',
    'kc%5faction=UPDATE_PROFILE',
    '%6b%63_action=UPDATE_PROFIL%45',
    'kc_action=UPDATE_PASSWORD&kc_action=UPDATE_PROFILE',
    'kc_action=UPDATE_PROFILE&kc_action=UPDATE_PASSWORD',
    'kc_action=UPDATE_PASSWORD&kc%5Faction=UPDATE_PROFILE',
    'kc_action=UPDATE_PASSWORD;kc_action=UPDATE_PROFILE',
    'x=1;kc_action=UPDATE_PROFILE',
    'kc_action&kc_action=UPDATE_PROFILE',
    'kc_action=+UPDATE_PROFILE',
    'kc_action=UPDATE_PROFILE%00',
    'kc_action=UPDATE_PROFILE%0d%0a',
  ])('is refused as %s', async (query) => {
    const visitor = await edge.signedIn(person);
    await visitor.open(ask(query));
    expect([visitor.status, visitor.forms]).toEqual([400, []]);
  });

  it.each([
    'kc%255faction=UPDATE_PROFILE',
    'KC_ACTION=UPDATE_PROFILE',
    'x=%26kc_action%3DUPDATE_PROFILE',
    '+kc_action=UPDATE_PROFILE',
  ])('is not read from %s', async (query) => {
    const visitor = await edge.signedIn(person);
    await visitor.begin(Object.fromEntries(new URLSearchParams(query)), 'auth');
    expect(visitor.callback).toBeDefined();
    expect(visitor.forms).toEqual([]);
  });
});
