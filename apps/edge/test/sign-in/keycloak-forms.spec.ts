import { Email } from '@stoa/contracts';
import { testParts } from '@stoa/testing';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountActions } from '../../src/forms/account-actions.ts';
import { codeOf, EdgeUnderTest } from './keycloak-under-test.ts';

let edge: EdgeUnderTest;
beforeAll(async () => {
  edge = await EdgeUnderTest.open({ REGISTRATION_LIMIT_PER_HOUR: '1000', ACCOUNT_TRIES: '1000' });
});
afterAll(() => edge.stop());

const account = (password = randomBytes(9).toString('base64url')) => {
  const username = `form-${randomBytes(5).toString('hex')}`;
  return {
    ...{ displayName: 'Ada', username, email: `${username}@example.test` },
    ...{ password, 'password-confirm': password, termsAccepted: 'on' },
  };
};
const registrationForm = 'kc-register-form';

async function signUp(fields: Record<string, string>) {
  const visitor = edge.visitor();
  await visitor.begin({}, 'registrations');
  return visitor.submit(registrationForm, fields);
}

/** Posts the body unchanged to a form of a log-in. */
async function postRaw(
  body: string | Uint8Array<ArrayBuffer>,
  path = 'login-actions/authenticate?client_id=web',
) {
  const { keycloak } = testParts();
  const answer = await fetch(`${edge.url}/realms/${keycloak.realm}/${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    body,
  });
  return { status: answer.status, page: await answer.text() };
}

describe('a form that would make Keycloak fail', () => {
  const bad: [string, string | Uint8Array<ArrayBuffer>][] = [
    ['a broken escape', 'username=%&password=x'],
    ['half an escape', 'username=ada&password=50%2'],
    ['a malformed escape', 'username=%zz'],
    ['escaped bytes that are not UTF-8', 'username=%ff%fe'],
    ['bytes that are not UTF-8', new Uint8Array([117, 61, 255, 254])],
    ['half a surrogate pair', 'username=%ed%a0%80'],
    ['an overlong encoding', 'username=%c0%af'],
    ['NUL', 'displayName=a%00b'],
    ['a control character', 'displayName=a%1bb'],
    ['a C1 control character', 'displayName=a%c2%85b'],
    ['a line break', 'displayName=a%0d%0ab'],
    ['a name with NUL', 'a%00=b'],
    ['a duplicate name', 'username=ada&username=bob'],
  ];
  it.each(bad)('is refused with a page of the proxy: %s', async (_, body) => {
    for (const action of ['authenticate', 'registration', 'reset-credentials', 'required-action']) {
      const { status, page } = await postRaw(body, `login-actions/${action}?client_id=web`);
      expect([action, status]).toEqual([action, 400]);
      expect(page).toContain('<h1>This Did Not Work</h1>');
    }
  });

  it.each([
    'client_id=web&x=%',
    'client_id=web&x=%00',
    'client_id=%ff',
    'client_id=web&client_id=web',
    'client_id=web&x=1;session_code=y',
    ';client_id=web',
    'client_id=web&;',
    'client_id=web&x=1#y',
    'client_id=web&=x',
  ])('is refused in an address: %s', async (query) => {
    const { status } = await postRaw('a=b', `login-actions/authenticate?${query}`);
    expect(status).toBe(400);
    const { keycloak } = testParts();
    const asked = await fetch(`${edge.url}/realms/${keycloak.realm}/protocol/openid-connect/auth?${query}`, {
      redirect: 'manual',
    });
    expect(asked.status).toBe(400);
  });

  it.each(['displayName', 'username', 'email', 'password', 'password-confirm'])(
    'is refused at sign-up with NUL in %s',
    async (field) => {
      const visitor = await signUp({ ...account(), [field]: 'a\0b' });
      expect(visitor.status).toBe(400);
      expect(visitor.html).toContain('This Did Not Work');
    },
  );

  it('does not include one with letters of other scripts', async () => {
    const visitor = await signUp({ ...account(), displayName: 'Ἀδα 日本 🎨 100%' });
    expect(visitor.callback).toBeDefined();
  });
});

describe('an email address at sign-up', () => {
  it.each([
    ["o'b&c=d?e%+", 'example.test'],
    ['{a}|`~', 'example.test'],
    ['ann', 'bücher.example'],
    ['ann', 'xn--bcher-kva.example'],
  ])('is accepted like in the contact form: %s@%s', async (local, domain) => {
    const email = `${local}${randomBytes(5).toString('hex')}@${domain}`;
    expect(Email.safeParse(email).success).toBe(true);
    expect((await signUp({ ...account(), email })).callback).toBeDefined();
  });

  it.each([
    '"a b"@example.test',
    'ann@localhost',
    'ann@[127.0.0.1]',
    'ann@127.0.0.1',
    'ann@example.123',
    'a..b@example.test',
  ])('is refused like in the contact form: %s', async (email) => {
    expect(Email.safeParse(email).success).toBe(false);
    expect((await signUp({ ...account(), email })).errors).toEqual(['The email address is not valid.']);
  });

  it('identifies one account in all spellings of its domain', async () => {
    const person = account();
    const at = (domain: string) => `${person.username}@${domain}`;
    const spellings = [
      ...['xn--bcher-kva.example', 'XN--BCHER-KVA.example', 'bücher.example', 'BÜCHER.EXAMPLE'],
      ...['bu\u0308cher.example', 'bücher\u3002example', 'ｂücher.example', 'bü\u00adcher.example'],
    ];
    expect((await signUp({ ...person, email: at('bücher.example') })).callback).toBeDefined();
    for (const email of spellings.map(at)) {
      const { errors } = await signUp({ ...account(), email });
      expect([email, errors.join()]).toEqual([email, expect.stringContaining('already in use')]);
      const visitor = edge.visitor();
      await visitor.begin();
      await visitor.logIn(email, person.password);
      expect([email, visitor.callback !== undefined]).toEqual([email, true]);
    }

    const other = await edge.realm.signUp();
    const visitor = await edge.signedIn(other);
    await visitor.begin({ kc_action: 'UPDATE_EMAIL' });
    await visitor.submit('kc-form-login', { password: other.password });
    await visitor.submit('kc-update-email-form', { email: at('bücher.example') });
    expect(visitor.errors.join()).toContain('already in use');
    await visitor.submit('kc-update-email-form', { email: `new-${at('bücher.example')}` });
    expect(await edge.realm.mailsTo(`new-${at('xn--bcher-kva.example')}`)).toHaveLength(1);
  });
});

describe('a page', () => {
  const blocked = (html: string) => [
    ...(html.match(/<script(?![^>]*\b(?:src|type)=)[^>]*>/gi) ?? []),
    ...(html.match(/<[a-z][^>]*\son[a-z]+="[^>]*/gi) ?? []),
    ...(html.match(/<[a-z][^>]*\sstyle="[^>]*|<style/gi) ?? []),
    ...(html.match(/(?:href|action)="javascript:[^"]*/gi) ?? []),
  ];

  it('contains nothing that its policy forbids, before and after a form', async () => {
    const person = await edge.realm.signUp();
    const key = await edge.addAuthenticator(person);
    const visitor = edge.visitor();
    const seen: Record<string, string[]> = {};
    const see = (name: string) => {
      expect(visitor.html).toContain('<main');
      seen[name] = blocked(visitor.html);
    };
    await visitor.begin({}, 'registrations');
    see('sign-up');
    await visitor.submit(registrationForm, { ...account(), email: 'x' });
    see('sign-up with a mistake');
    await visitor.open('login-actions/reset-credentials?client_id=web');
    see('forgotten password');
    await visitor.begin();
    see('log-in');
    await visitor.logIn(person.username, 'wrong');
    see('wrong password');
    await visitor.logIn(person.username, person.password);
    see('second factor');
    await visitor.submit('kc-otp-login-form', { otp: '000000' });
    see('wrong code');
    await visitor.submit('kc-otp-login-form', { otp: codeOf(key, 1) });
    expect(visitor.callback).toBeDefined();
    const other = await edge.realm.signUp();
    for (const action of accountActions.filter((one) => one !== 'delete_credential')) {
      const own = edge.visitor();
      await own.begin({ kc_action: action });
      await own.logIn(other.username, other.password);
      expect([action, own.html.includes('<main')]).toEqual([action, true]);
      seen[action] = blocked(own.html);
    }
    expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((name) => [name, []])));
  });
});

describe('the terms', () => {
  it.each(['', 'false', 'off', 'on ', '0'])('are not accepted by %j', async (termsAccepted) => {
    const visitor = await signUp({ ...account(), termsAccepted });
    expect(visitor.callback).toBeUndefined();
    expect(visitor.errors.join(' ')).toMatch(/agree|accept/i);
  });

  it('are not accepted by two values', async () => {
    const { keycloak } = testParts();
    expect(keycloak.realm).toBe('stoa');
    const { status } = await postRaw(
      'username=x&termsAccepted=&termsAccepted=on',
      'login-actions/registration?client_id=web',
    );
    expect(status).toBe(400);
  });
});

describe('a password with several Unicode spellings', () => {
  const spellings = {
    composed: 'caf\u00e9-cr\u00e8me-1x',
    decomposed: 'cafe\u0301-cre\u0300me-1x',
  };
  const logIn = async (username: string, password: string) => {
    const visitor = edge.visitor();
    await visitor.begin();
    await visitor.logIn(username, password);
    return visitor;
  };

  it.each([
    ['composed letters', spellings.composed, spellings.decomposed],
    ['letters and marks', spellings.decomposed, spellings.composed],
    ['Hangul syllables', '\ud55c\uae00-password', '\u1112\u1161\u11ab\u1100\u1173\u11af-password'],
    ['Hangul jamo', '\u1112\u1161\u11ab\u1100\u1173\u11af-password', '\ud55c\uae00-password'],
    ['a wide blank', 'correct\u3000horse-1', 'correct horse-1'],
    ['several marks', 'vie\u0323\u0302t-nam-22', 'vi\u1ec7t-nam-22'],
  ])('opens the account in each spelling: signed up with %s', async (_, first, second) => {
    const fields = account(first);
    expect((await signUp(fields)).callback).toBeDefined();
    for (const password of [first, second])
      expect((await logIn(fields.username, password)).callback).toBeDefined();
    expect((await logIn(fields.username, `${second}x`)).callback).toBeUndefined();
  });

  it('opens an account that stored it decomposed [edge-8]', async () => {
    const person = await edge.realm.signUp();
    await edge.realm.setPassword(person.uid, spellings.decomposed);
    for (const password of Object.values(spellings)) {
      const visitor = await logIn(person.username, password);
      expect(visitor.callback).toBeDefined();
      await visitor.takeTokens();
      await visitor.begin({ prompt: 'login' });
      await visitor.submit('kc-form-login', { password });
      expect(visitor.callback).toBeDefined();
    }
  });

  it('does not equal the password with fullwidth digits', async () => {
    const fields = account('pass-word-\uff11\uff12\uff13');
    expect((await signUp(fields)).callback).toBeDefined();
    expect((await logIn(fields.username, fields.password)).callback).toBeDefined();
    expect((await logIn(fields.username, 'pass-word-123')).callback).toBeUndefined();
  });

  it('counts as one attempt when it is wrong', async () => {
    const own = await EdgeUnderTest.open({ ACCOUNT_TRIES: '3' });
    const person = await own.realm.signUp();
    const visitor = own.visitor();
    const errors: string[] = [];
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      await visitor.begin();
      statuses.push((await visitor.logIn(person.username, `${spellings.decomposed}${count}`)).status);
      errors.push(...visitor.errors);
    }
    expect(errors.slice(0, 3)).toEqual(Array<string>(3).fill('Invalid email or password. Please try again.'));
    expect(statuses).toEqual([200, 200, 200, 429]);
    await own.stop();
  });
});

it('the present password is refused as the new one in every spelling', async () => {
  const present = 'caf\u00e9-cr\u00e8me-2y';
  const fields = account(present);
  const visitor = await signUp(fields);
  await visitor.begin({ kc_action: 'UPDATE_PASSWORD' });
  if (visitor.forms.includes('kc-form-login')) await visitor.submit('kc-form-login', { password: present });
  for (const same of [present, present.normalize('NFD')]) {
    await visitor.submit('kc-passwd-update-form', { 'password-new': same, 'password-confirm': same });
    expect(visitor.errors).toContain('This is your present password. Choose another one.');
  }
  const next = 'another-horse-battery';
  await visitor.submit('kc-passwd-update-form', { 'password-new': next, 'password-confirm': next });
  expect(visitor.callback).toBeDefined();
});
