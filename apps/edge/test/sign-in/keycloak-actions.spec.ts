import type { RealmPerson, RealmVisitor } from '@stoa/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountActions } from '../../src/forms/account-actions.ts';
import { EdgeUnderTest } from './keycloak-under-test.ts';

let edge: EdgeUnderTest;
let person: RealmPerson;
beforeAll(async () => {
  edge = await EdgeUnderTest.open({ LOG_IN_LIMIT_PER_HOUR: '1000', ACCOUNT_TRIES: '1000' });
  person = await edge.realm.signUp();
});
afterAll(() => edge.stop());

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

// Actions that could take over the account, or remove something from it, require a log-in each time.
const alwaysAsked = ['UPDATE_PASSWORD', 'UPDATE_EMAIL', 'delete_credential'] as const;
const additions = accountActions.filter((action) => !alwaysAsked.some((asked) => asked === action));

describe('the action', () => {
  it.each(additions)(
    '%s needs no second log-in within five minutes, and opens no other page',
    async (action) => {
      const visitor = await edge.signedIn(person);
      await visitor.begin({ kc_action: action });
      expect(asksForPassword(visitor)).toBe(false);
      expect(visitor.forms).toContain(formOf[action]);
      // A pending change of another kind must not open its page during this action.
      const other = await edge.signedIn(person);
      await edge.realm.change(person.uid, { requiredActions: ['UPDATE_EMAIL'] });
      await other.begin({ kc_action: action });
      expect(other.forms).not.toContain('kc-update-email-form');
      await edge.realm.change(person.uid, { requiredActions: [] });
    },
  );

  it.each([
    ['UPDATE_PASSWORD', 'Confirm that it is you to change your password'],
    ['UPDATE_EMAIL', 'Confirm that it is you to change your email'],
    ['delete_credential:1', 'Confirm that it is you to remove a way to log in'],
  ])(
    '%s is named on the page that requests the password, also after a wrong one',
    async (action, heading) => {
      const visitor = await edge.signedIn(person);
      await visitor.begin({ kc_action: action });
      const shown = `<span data-purpose="${action.split(':')[0]}">${heading}</span>`;
      expect(visitor.html).toContain(shown);
      expect(visitor.html).not.toContain('New to Stoa?');
      await visitor.submit('kc-form-login', { password: 'not this one' });
      expect(visitor.html).toContain(shown);
    },
  );

  it.each(alwaysAsked)('%s needs a new log-in, with or without a pending action [edge-7]', async (action) => {
    for (const pending of [
      [],
      ['UPDATE_PROFILE'],
      ['VERIFY_PROFILE', 'update_user_locale'],
      ['UPDATE_EMAIL'],
    ]) {
      const visitor = await edge.signedIn(person);
      await edge.realm.change(person.uid, { requiredActions: pending });
      await visitor.begin({ kc_action: action });
      expect([pending, asksForPassword(visitor)]).toEqual([pending, true]);
      await edge.realm.change(person.uid, { requiredActions: [] });
    }
  });

  it.each(others)('%j is refused by the proxy', async (action) => {
    const visitor = await edge.signedIn(person);
    await visitor.begin({ kc_action: action });
    expect(visitor.status).toBe(400);
    expect(visitor.html).toContain('This Did Not Work');
  });

  it.each(['UPDATE_PASSWORD', 'UPDATE_PROFILE'])('%s is refused after a semicolon', async (action) => {
    const visitor = await edge.signedIn(person);
    await visitor.open(`protocol/openid-connect/auth?client_id=web&x=1;kc_action=${action}`);
    expect(visitor.status).toBe(400);
    expect(visitor.html).toContain('This Did Not Work');
  });

  it.each([
    [{ request: 'e30.eyJrY19hY3Rpb24iOiJpZHBfbGluayJ9.' }],
    [{ request_uri: 'https://evil.test/request' }],
  ])('in a request object is refused', async (more) => {
    const visitor = await edge.signedIn(person);
    await visitor.begin(more);
    expect(visitor.status).toBe(400);
  });
});

it.each(['form_post', 'jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt', 'web_message', ''])(
  'a log-in with the response mode %j is refused',
  async (response_mode) => {
    const visitor = edge.visitor();
    await visitor.begin({ response_mode });
    expect(visitor.status).toBe(400);
  },
);

describe('the pending action', () => {
  it.each(others.filter((alias) => /^[A-Za-z_-]+$/.test(alias)))('%s shows no page', async (alias) => {
    const visitor = await edge.signedIn(person);
    await edge.realm.change(person.uid, { requiredActions: [alias] });
    await visitor.begin();
    expect(visitor.callback?.searchParams.get('code') ?? visitor.callback?.hash).toBeTruthy();
    await edge.realm.change(person.uid, { requiredActions: [] });
  });
});

describe('the email of an account', () => {
  const emailForm = 'kc-update-email-form';

  it('changes after a log-in for it, and a pending change requires the password again', async () => {
    const owner = await edge.realm.signUp();
    const visitor = await edge.signedIn(owner);
    await visitor.begin({ kc_action: 'UPDATE_EMAIL' });
    expect(visitor.forms).not.toContain(emailForm);
    await visitor.submit('kc-form-login', { password: owner.password });
    await visitor.submit(emailForm, { email: `new-${owner.email}` });
    expect(await edge.realm.mailsTo(`new-${owner.email}`)).toHaveLength(1);

    // The finished change gives this browser's session no right to enter another address.
    await visitor.begin();
    expect(visitor.forms).not.toContain(emailForm);
    expect(asksForPassword(visitor)).toBe(true);
  });

  it('is not changed by the form of a session, posted to any address', async () => {
    const owner = await edge.realm.signUp();
    const visitor = await edge.signedIn(owner);
    await edge.realm.change(owner.uid, { requiredActions: ['UPDATE_EMAIL'] });
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
    expect(await edge.realm.mailsTo(stolen)).toEqual([]);
    await edge.realm.change(owner.uid, { requiredActions: [] });
  });

  // Adding an authenticator or codes needs no second log-in within five minutes of the first.
  it.each([
    ['UPDATE_PASSWORD', true],
    ['CONFIGURE_TOTP', false],
    ['CONFIGURE_RECOVERY_AUTHN_CODES', false],
  ])('is not read from the form of %s (requires the password again: %s)', async (action, asksAgain) => {
    const owner = await edge.realm.signUp();
    const visitor = await edge.signedIn(owner);
    await visitor.begin({ kc_action: action });
    expect(asksForPassword(visitor)).toBe(asksAgain);
    if (asksAgain) await visitor.submit('kc-form-login', { password: owner.password });
    const [form = ''] = visitor.forms;
    await visitor.submit(form, { email: `stolen-${owner.email}`, displayName: 'x' });
    expect(visitor.status).toBe(400);
    await visitor.begin();
    expect(visitor.callback).toBeDefined();
    expect((await edge.realm.find(owner.uid)).email).toBe(owner.email);
  });
});
