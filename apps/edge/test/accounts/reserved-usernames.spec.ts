import { usernameDigest } from '@stoa/platform';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EdgeUnderTest } from '../sign-in/keycloak-under-test.ts';

const rule = 'Use 3 to 30 lowercase letters, numbers, hyphens or underscores. Some names are reserved.';

let edge: EdgeUnderTest;
beforeAll(async () => {
  edge = await EdgeUnderTest.open({ REGISTRATION_LIMIT_PER_HOUR: '1000' });
});
afterAll(() => edge.stop());

const freeName = () => `kin-${randomBytes(5).toString('hex')}`;
const after = (ms: number) => new Date(Date.now() + ms).toISOString();
const reserve = (username: string, until: string | null = after(60_000)) =>
  edge.reserved.add({ digest: usernameDigest(username), until });

/** Posts the sign-up form as a browser without scripts does. */
async function signUp(username: string, changes: Record<string, string> = {}) {
  const password = randomBytes(9).toString('base64url');
  const visitor = edge.visitor();
  await visitor.begin({}, 'registrations');
  return visitor.submit('kc-register-form', {
    ...{ displayName: 'Ada & <b>', username, email: `${randomBytes(8).toString('hex')}@example.test` },
    ...{ password, 'password-confirm': password, termsAccepted: 'on', ...changes },
  });
}
type Visitor = Awaited<ReturnType<typeof signUp>>;
const valueOf = ({ html }: Visitor, field: string) =>
  new RegExp(`<input[^>]*\\bname="${field}"[^>]*\\bvalue="([^"]*)"`).exec(html)?.[1];
/** Whether a sign-up with the name succeeds after its reservation has ended, so that no account has it. */
async function isFree(username: string): Promise<boolean> {
  reserve(username, after(-1));
  return (await signUp(username)).callback !== undefined;
}

describe('the username of a closed account', () => {
  it.each([
    ['as it was', (name: string) => name],
    ['in capitals', (name: string) => name.toUpperCase()],
    ['with the Kelvin sign for its k', (name: string) => name.replace('k', '\u212a')],
    ['after blanks', (name: string) => `  ${name}`],
    ['before a blank', (name: string) => `${name} `],
    ['before a no-break space', (name: string) => `${name}\u00a0`],
    ['before an ideographic space', (name: string) => `${name}\u3000`],
    ['before a zero-width space', (name: string) => `${name}\u200b`],
    ['before a soft hyphen', (name: string) => `${name}\u00ad`],
    ['with a letter of full width', (name: string) => name.replace('k', '\uff4b')],
  ])('is refused, and the form keeps the other fields: %s [edge-15]', async (_, spell) => {
    const name = freeName();
    reserve(name);
    const visitor = await signUp(spell(name));
    expect(visitor.errors).toEqual([rule]);
    expect(valueOf(visitor, 'displayName')).toBe('Ada &amp; &lt;b&gt;');
    expect(valueOf(visitor, 'email')).toMatch(/@example\.test$/);
    expect(await isFree(name)).toBe(true);
  });

  it('is shown in the form again, in lowercase', async () => {
    const name = freeName();
    reserve(name);
    expect(valueOf(await signUp(` ${name.toUpperCase()}`), 'username')).toBe(name);
  });

  it('is refused together with other errors', async () => {
    const name = freeName();
    reserve(name);
    const visitor = await signUp(name, { email: 'none' });
    expect(visitor.errors.toSorted()).toEqual(['The email address is not valid.', rule].toSorted());
  });

  it('is refused forever when its reservation has no end', async () => {
    const name = freeName();
    reserve(name, null);
    expect((await signUp(name)).errors).toEqual([rule]);
  });

  it('is available after its reservation, and other names always', async () => {
    const name = freeName();
    reserve(name, after(-1));
    reserve(freeName());
    expect((await signUp(name)).callback).toBeDefined();
    expect((await signUp(freeName())).callback).toBeDefined();
  });

  it.each(['name.with.dots', 'tail.', '.head', 'stoa', 'Admin', 'supp0rt', 'dashboard', 'st-oa'])(
    'has the same error as a name that the rule refuses: %s',
    async (name) => expect((await signUp(name)).errors).toEqual([rule]),
  );

  it('does not reserve similar names', async () => {
    const name = freeName();
    reserve(name);
    for (const other of [`${name}_`, name.replace('-', '_'), `${name}-1`])
      expect((await signUp(other)).callback).toBeDefined();
  });
});
