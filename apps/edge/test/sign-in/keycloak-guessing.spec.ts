import { type RealmPerson, type RealmVisitor } from '@stoa/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf, EdgeUnderTest } from './keycloak-under-test.ts';

let edge: EdgeUnderTest;
beforeAll(async () => {
  edge = await EdgeUnderTest.open({ ACCOUNT_TRIES: '4', CODE_TRIES_PER_DAY: '3' });
});
afterAll(() => edge.stop());

const wrongCode = '000000';

describe('the password of an open session', () => {
  /** Enters six wrong passwords on the page that requests the password again, and returns the statuses. */
  async function guess(
    visitor: RealmVisitor,
    more: (count: number) => Record<string, string>,
    hidden: readonly string[],
  ) {
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      await visitor.begin({ prompt: 'login' });
      const { restore } = visitor.browser.hide(hidden);
      await visitor.submit('kc-form-login', { password: `wrong-${count}`, ...more(count) });
      restore();
      statuses.push(visitor.status);
    }
    return statuses;
  }

  it.each([
    ['without a name', () => ({}), []],
    ['with another name each time', (count: number) => ({ username: `other-${count}` }), []],
    ['with an empty name', () => ({ username: '' }), []],
    ['without the cookie of the session', () => ({}), ['KEYCLOAK_IDENTITY', 'KEYCLOAK_SESSION']],
  ])('counts against its account %s', async (_, more, hidden) => {
    const visitor = await edge.signedIn(await edge.realm.signUp());
    // The first log-in has already counted as an attempt of an unknown browser.
    const statuses = await guess(visitor, more, hidden);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2);
    expect(statuses.indexOf(429)).toBe(3);
  });

  it('counts against the account, also when its session gets new tokens', async () => {
    const strict = await EdgeUnderTest.open({ ACCOUNT_TRIES_PER_DAY: '4' });
    const visitor = await strict.signedIn(await strict.realm.signUp());
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      await visitor.begin();
      await visitor.takeTokens();
      await visitor.begin({ prompt: 'login' });
      await visitor.submit('kc-form-login', { password: `wrong-${count}` });
      statuses.push(visitor.status);
    }
    await strict.stop();
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  });

  it('does not complete a log-in when its form is posted to another address', async () => {
    const owner = await edge.realm.signUp();
    const visitor = await edge.signedIn(owner);
    for (const action of ['registration', 'reset-credentials', 'required-action']) {
      await visitor.begin({ prompt: 'login' });
      await visitor.submit('kc-form-login', { password: owner.password }, (address) =>
        address.replace('/authenticate?', `/${action}?`),
      );
      expect([action, visitor.callback]).toEqual([action, undefined]);
    }
  });
});

describe('codes of a second factor', () => {
  async function atTheCode(person: RealmPerson, name = person.username): Promise<RealmVisitor> {
    const visitor = edge.visitor();
    await visitor.begin();
    await visitor.logIn(name, person.password);
    expect(visitor.forms).toContain('kc-otp-login-form');
    return visitor;
  }
  const enter = async (visitor: RealmVisitor, otp: string) =>
    (await visitor.submit('kc-otp-login-form', { otp })).status;

  it('count by account for a day, over all network addresses, names and log-ins [edge-9]', async () => {
    const person = await edge.realm.signUp();
    const key = await edge.addAuthenticator(person);
    const statuses: number[] = [];
    const first = await atTheCode(person);
    statuses.push(await enter(first, wrongCode), await enter(first, wrongCode));
    const second = await atTheCode(person, person.email);
    statuses.push(await enter(second, wrongCode), await enter(second, wrongCode));
    expect(statuses).toEqual([200, 200, 200, 429]);
    const third = await atTheCode(person, person.email.toUpperCase());
    expect(await enter(third, codeOf(key))).toBe(429);
    expect(third.html).toMatch(/Please wait \d+ minutes/);
    expect(third.callback).toBeUndefined();
  });

  it('do not count against the browsers in which the owner has logged in', async () => {
    const person = await edge.realm.signUp();
    const key = await edge.addAuthenticator(person);
    const own = await atTheCode(person);
    await enter(own, codeOf(key, 1));
    expect(own.callback).toBeDefined();
    await own.takeTokens();
    const stranger = await atTheCode(person);
    for (let count = 0; count < 4; count += 1) {
      if (!stranger.forms.includes('kc-otp-login-form')) break;
      await enter(stranger, wrongCode);
    }
    expect(stranger.status).toBe(429);
    await own.begin({ prompt: 'login' });
    await own.submit('kc-form-login', { password: person.password });
    expect(await enter(own, wrongCode)).toBe(200);
  });

  it('do not count when they are right', async () => {
    const person = await edge.realm.signUp();
    const key = await edge.addAuthenticator(person);
    const visitor = await atTheCode(person);
    expect(await enter(visitor, wrongCode)).toBe(200);
    expect(await enter(visitor, wrongCode)).toBe(200);
    await enter(visitor, codeOf(key, 1));
    expect(visitor.callback).toBeDefined();
    const again = await atTheCode(person);
    expect(await enter(again, wrongCode)).toBe(200);
    const late = await atTheCode(person);
    expect(await enter(late, wrongCode)).toBe(429);
  });

  it('are not tried without the mark of their page', async () => {
    const person = await edge.realm.signUp();
    const key = await edge.addAuthenticator(person);
    const marked = await atTheCode(person);
    const spoil = [
      (address: string) => address.replace(/stoa_step=[^&]*/, ''),
      (address: string) => address.replace(/stoa_step=[^&]*/, 'stoa_step=e30.x'),
    ];
    for (const change of spoil) {
      await marked.submit('kc-otp-login-form', { otp: codeOf(key) }, change);
      expect(marked.callback).toBeUndefined();
      expect(marked.forms).toContain('kc-otp-login-form');
    }
  });

  it.each([';', '&;', 'x=1;', 'x=1;y=2&', '&&x;'])('are not tried with %j in the address', async (hiding) => {
    const person = await edge.realm.signUp();
    const key = await edge.addAuthenticator(person);
    const visitor = await atTheCode(person);
    await visitor.submit('kc-otp-login-form', { otp: codeOf(key, 1) }, (address) =>
      address.replace(/&stoa_step=[^&]*/, '').replace('?session_code=', `?${hiding}session_code=`),
    );
    expect([visitor.status, visitor.callback]).toEqual([400, undefined]);
  });
});
