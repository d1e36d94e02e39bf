import type { RealmVisitor } from '@stoa/testing';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf, EdgeUnderTest } from './keycloak-under-test.ts';

let edge: EdgeUnderTest;
beforeAll(async () => {
  edge = await EdgeUnderTest.open({ CODE_TRIES_PER_DAY: '3', REGISTRATION_LIMIT_PER_HOUR: '1000' });
});
afterAll(() => edge.stop());

const plain = (html: string) =>
  html.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');

/** Makes Keycloak show a page that contains text which the visitor has chosen. */
type Reflection = (visitor: RealmVisitor, text: string) => Promise<unknown>;

const signUp =
  (field: string): Reflection =>
  async (visitor, text) => {
    await visitor.begin({}, 'registrations');
    const password = randomBytes(9).toString('base64url');
    await visitor.submit('kc-register-form', {
      ...{ displayName: 'Ada', username: 'ada', email: 'no address', termsAccepted: 'on' },
      ...{ password, 'password-confirm': password, [field]: text },
    });
  };

const reflections: readonly [string, Reflection][] = [
  ['login_hint', (visitor, text) => visitor.begin({ login_hint: text })],
  ['login_hint of a sign-up', (visitor, text) => visitor.begin({ login_hint: text }, 'registrations')],
  [
    'the username of a failed log-in',
    async (visitor, text) => (await visitor.begin()).logIn(text, 'not the password'),
  ],
  ['the displayName of a sign-up', signUp('displayName')],
  ['the username of a sign-up', signUp('username')],
  ['the email of a sign-up', signUp('email')],
  ['state', (visitor, text) => visitor.begin({ state: text })],
  ['ui_locales', (visitor, text) => visitor.begin({ ui_locales: text })],
];

describe('the mark of a page of Keycloak', () => {
  it.each(reflections)('is not added to text that a visitor sends: %s', async (_, reflect) => {
    for (const text of [
      '/login-actions/authenticate?session_code=stolen',
      '/login-actions/required-action?session_code=stolen&execution=UPDATE_EMAIL',
      '"><form action="/login-actions/authenticate?session_code=stolen">',
    ]) {
      const visitor = edge.visitor();
      await reflect(visitor, text);
      const marks = [...visitor.html.matchAll(/session_code=([\w-]+)[^"]*stoa_step=/g)].map(
        ([, code]) => code,
      );
      expect([text, visitor.status, marks.length]).toEqual([text, 200, visitor.forms.length]);
      expect(marks).not.toContain('stolen');
      expect(plain(visitor.html)).not.toContain(`${text}&stoa_step`);
    }
  });

  it.each(reflections.filter(([from]) => /^login_hint|failed|displayName/.test(from)))(
    'is not valid on the page for a code when it comes from another page: %s',
    async (_, reflect) => {
      const person = await edge.realm.signUp();
      const key = await edge.addAuthenticator(person);
      const visitor = edge.visitor();
      await visitor.begin();
      await visitor.logIn(person.username, person.password);
      const code = /session_code=([\w-]+)/.exec(visitor.html)?.[1] ?? '';
      expect(code).not.toBe('');
      const forger = edge.visitor();
      await reflect(forger, `/login-actions/authenticate?session_code=${code}`);
      const shown = plain(forger.html);
      expect(shown).toContain(`session_code=${code}`);
      const marks = [...shown.matchAll(/stoa_step=([\w.-]+)/g)].map(([, mark = '']) => mark);
      expect(marks.length).toBeGreaterThan(0);
      for (const mark of marks) {
        await visitor.submit('kc-otp-login-form', { otp: codeOf(key, 1), username: 'other' }, (address) =>
          address.replace(/stoa_step=[\w.-]*/, `stoa_step=${mark}`),
        );
        expect(visitor.callback).toBeUndefined();
        expect(visitor.forms).toContain('kc-otp-login-form');
      }
    },
  );
});
