import type { RealmPerson, RealmVisitor } from '@stoa/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountActions } from '../src/asked-action.ts';
import { DoorsUnderTest } from './keycloak-under-test.ts';

let doors: DoorsUnderTest;
let person: RealmPerson;
beforeAll(async () => {
  doors = await DoorsUnderTest.open({ LOG_IN_LIMIT_PER_HOUR: '1000', ACCOUNT_TRIES: '1000' });
  person = await doors.realm.signUp();
});
afterAll(() => doors.stop());

const asksForPassword = (visitor: RealmVisitor) =>
  visitor.forms.includes('kc-form-login') && /Please re-authenticate|Log In/i.test(visitor.html);

const formOf: Readonly<Record<string, string>> = {
  CONFIGURE_TOTP: 'kc-totp-settings-form',
  'webauthn-register': 'register',
  CONFIGURE_RECOVERY_AUTHN_CODES: 'kc-recovery-codes-settings-form',
};

const others = [
  'UPDATE_PROFILE',
  'VERIFY_PROFILE',
  'VERIFY_EMAIL',
  'TERMS_AND_CONDITIONS',
  'webauthn-register-passwordless',
  'idp_link',
  'idp_link:google',
  'update_user_locale',
  'delete_account',
  'UPDATE_PASSWORD:x',
  'update_email',
  'no-such-action',
  '',
];

// What takes something from the account, or could take it over, asks each time.
const alwaysAsked = ['UPDATE_PASSWORD', 'UPDATE_EMAIL', 'delete_credential'] as const;
const additions = accountActions.filter((action) => !alwaysAsked.some((asked) => asked === action));

describe('an action that a session asks for', () => {
  it.each(additions)(
    '%s takes no second log-in within five minutes, and opens no other page',
    async (action) => {
      const visitor = await doors.signedIn(person);
      await visitor.begin({ kc_action: action });
      expect(asksForPassword(visitor)).toBe(false);
      expect(visitor.forms).toContain(formOf[action]);
      // Another change that waits is not let in with it.
      const other = await doors.signedIn(person);
      await doors.realm.change(person.uid, { requiredActions: ['UPDATE_EMAIL'] });
      await other.begin({ kc_action: action });
      expect(other.forms).not.toContain('kc-update-email-form');
      await doors.realm.change(person.uid, { requiredActions: [] });
    },
  );

  it.each([
    ['UPDATE_PASSWORD', 'Confirm that it is you to change your password'],
    ['UPDATE_EMAIL', 'Confirm that it is you to change your email'],
    ['delete_credential:1', 'Confirm that it is you to remove a way to log in'],
  ])('%s names itself on the page that asks, after a wrong password too', async (action, heading) => {
    const visitor = await doors.signedIn(person);
    await visitor.begin({ kc_action: action });
    const shown = `<span data-purpose="${action.split(':')[0]}">${heading}</span>`;
    expect(visitor.html).toContain(shown);
    expect(visitor.html).not.toContain('New to Stoa?');
    await visitor.submit('kc-form-login', { password: 'not this one' });
    expect(visitor.html).toContain(shown);
  });

  it.each(alwaysAsked)('%s takes a new log-in, with an action pending or without', async (action) => {
    for (const pending of [
      [],
      ['UPDATE_PROFILE'],
      ['VERIFY_PROFILE', 'update_user_locale'],
      ['UPDATE_EMAIL'],
    ]) {
      const visitor = await doors.signedIn(person);
      await doors.realm.change(person.uid, { requiredActions: pending });
      await visitor.begin({ kc_action: action });
      expect([pending, asksForPassword(visitor)]).toEqual([pending, true]);
      await doors.realm.change(person.uid, { requiredActions: [] });
    }
  });

  it.each(others)('%j is refused at the door', async (action) => {
    const visitor = await doors.signedIn(person);
    await visitor.begin({ kc_action: action });
    expect(visitor.status).toBe(400);
    expect(visitor.html).toContain('This Did Not Work');
  });

  it.each(['UPDATE_PASSWORD', 'UPDATE_PROFILE'])('%s is refused behind a semicolon', async (action) => {
    const visitor = await doors.signedIn(person);
    await visitor.open(`protocol/openid-connect/auth?client_id=web&x=1;kc_action=${action}`);
    expect(visitor.status).toBe(400);
    expect(visitor.html).toContain('This Did Not Work');
  });

  it.each([
    [{ request: 'e30.eyJrY19hY3Rpb24iOiJpZHBfbGluayJ9.' }],
    [{ request_uri: 'https://evil.test/request' }],
  ])('in a request object is refused', async (more) => {
    const visitor = await doors.signedIn(person);
    await visitor.begin(more);
    expect(visitor.status).toBe(400);
  });
});

it.each(['form_post', 'jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt', 'web_message', ''])(
  'no log-in begins whose answer comes by %j',
  async (response_mode) => {
    const visitor = doors.visitor();
    await visitor.begin({ response_mode });
    expect(visitor.status).toBe(400);
  },
);

describe('pending actions', () => {
  it.each(others.filter((alias) => /^[A-Za-z_-]+$/.test(alias)))('%s shows no page', async (alias) => {
    const visitor = await doors.signedIn(person);
    await doors.realm.change(person.uid, { requiredActions: [alias] });
    await visitor.begin();
    expect(visitor.callback?.searchParams.get('code') ?? visitor.callback?.hash).toBeTruthy();
    await doors.realm.change(person.uid, { requiredActions: [] });
  });
});

describe('the e-mail of an account', () => {
  const emailForm = 'kc-update-email-form';

  it('changes after a log-in for it, and a change that waits for its proof asks for the password again', async () => {
    const owner = await doors.realm.signUp();
    const visitor = await doors.signedIn(owner);
    await visitor.begin({ kc_action: 'UPDATE_EMAIL' });
    expect(visitor.forms).not.toContain(emailForm);
    await visitor.submit('kc-form-login', { password: owner.password });
    await visitor.submit(emailForm, { email: `new-${owner.email}` });
    expect(await doors.realm.mailsTo(`new-${owner.email}`)).toHaveLength(1);

    // The same browser's session alone, and one begun before: neither may name another address.
    await visitor.begin();
    expect(visitor.forms).not.toContain(emailForm);
    expect(asksForPassword(visitor)).toBe(true);
  });

  it('is not changed by the form of a session, at whatever address it is posted', async () => {
    const owner = await doors.realm.signUp();
    const visitor = await doors.signedIn(owner);
    await doors.realm.change(owner.uid, { requiredActions: ['UPDATE_EMAIL'] });
    await visitor.begin();
    const page = visitor.html;
    expect(visitor.forms).not.toContain(emailForm);
    const stolen = `stolen-${owner.email}`;
    for (const change of [
      (address: string) => address.replace('authenticate', 'required-action'),
      (address: string) =>
        address
          .replace('authenticate', 'required-action')
          .replace(/execution=[^&]*/, 'execution=UPDATE_EMAIL'),
      (address: string) => address,
    ]) {
      await visitor.submit('kc-form-login', { email: stolen }, change);
      expect([400, 200]).toContain(visitor.status);
      expect(visitor.forms).not.toContain(emailForm);
      await visitor.begin();
    }
    expect(page).not.toContain(stolen);
    expect(await doors.realm.mailsTo(stolen)).toEqual([]);
    await doors.realm.change(owner.uid, { requiredActions: [] });
  });

  // An addition takes no second log-in within five minutes of the first.
  it.each([
    ['UPDATE_PASSWORD', true],
    ['CONFIGURE_TOTP', false],
    ['CONFIGURE_RECOVERY_AUTHN_CODES', false],
  ])('is not taken from the form of %s (asks for the password again: %s)', async (action, asksAgain) => {
    const owner = await doors.realm.signUp();
    const visitor = await doors.signedIn(owner);
    await visitor.begin({ kc_action: action });
    expect(asksForPassword(visitor)).toBe(asksAgain);
    if (asksAgain) await visitor.submit('kc-form-login', { password: owner.password });
    const [form = ''] = visitor.forms;
    await visitor.submit(form, { email: `stolen-${owner.email}`, displayName: 'x' });
    expect(visitor.status).toBe(400);
    await visitor.begin();
    expect(visitor.callback).toBeDefined();
    expect((await doors.realm.find(owner.uid)).email).toBe(owner.email);
  });
});
