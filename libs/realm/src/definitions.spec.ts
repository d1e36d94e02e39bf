import {
  emailPattern,
  limits,
  NewUsername,
  publicName,
  usernameRefusal,
  usernamePattern,
} from '@stoa/contracts';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readDefinitions } from './definitions.ts';

interface Attribute {
  name: string;
  validations: { pattern?: { pattern: string } };
}

const { clients, realm, userProfile } = await readDefinitions();

/** Processor time: far more than a comparison takes, far less than exponential time. */
const momentMicroseconds = 5_000_000;

const settings: Record<string, unknown> = { ...realm };

describe('the checked-in realm', () => {
  it('disables the password grant for every client and contains no secret [realm-1]', () => {
    for (const client of clients) expect(client).toMatchObject({ directAccessGrantsEnabled: false });
    expect(JSON.stringify({ realm, clients })).not.toMatch(/"(secret|password|smtpServer)":/);
  });

  it('grants no role by default, and puts roles into tokens of the client web only', () => {
    const sayRoles = clients.filter(({ protocolMappers = [] }) =>
      protocolMappers.some(({ protocolMapper }) => protocolMapper === 'oidc-usermodel-realm-role-mapper'),
    );
    expect(sayRoles.map(({ clientId }) => clientId)).toEqual(['web']);
    expect(sayRoles).toMatchObject([{ fullScopeAllowed: false }]);
    expect(JSON.stringify({ realm, clients })).not.toContain('defaultRoles');
  });

  it('expires no password and has no composition rules [realm-2]', () => {
    expect(String(settings['passwordPolicy'])).not.toMatch(
      /forceExpired|upperCase|lowerCase|digits|specialChars/,
    );
    // Only the present password is refused, no former one.
    expect(String(settings['passwordPolicy'])).toMatch(/passwordHistory\(1\)/);
  });

  it('expires links in mails after ten minutes, those that verify an address after a day [realm-3]', () => {
    expect(settings['actionTokenGeneratedByUserLifespan']).toBe(600);
    const attributes = settings['attributes'] as Record<string, string>;
    expect(attributes['actionTokenGeneratedByUserLifespan.verify-email']).toBe('86400');
  });

  it('limits idle time and lifetime of sessions, tokens and codes [realm-4]', () => {
    expect(realm).toMatchObject({
      accessTokenLifespan: 300,
      accessCodeLifespan: 60,
      ssoSessionIdleTimeout: 3 * 24 * 3600,
      ssoSessionMaxLifespan: limits.sessionDays * 24 * 3600,
      // With "stay signed in": two weeks without a visit, and never longer than other sessions.
      ssoSessionIdleTimeoutRememberMe: 14 * 24 * 3600,
      ssoSessionMaxLifespanRememberMe: limits.sessionDays * 24 * 3600,
      revokeRefreshToken: true,
      refreshTokenMaxReuse: 0,
    });
  });

  it('locks no account within the number of attempts that edge allows', () => {
    const hours = Number(settings['maxDeltaTimeSeconds']) / 3600;
    expect(hours).toBeGreaterThanOrEqual(12);
    // An account has two names. For each, edge allows thirty wrong passwords at first, then thirty a day.
    expect(settings['failureFactor']).toBeGreaterThan(2 * (30 + (30 * hours) / 24));
    // During an attack that lasts for days, the owner waits at most a minute.
    expect(settings['maxFailureWaitSeconds']).toBeLessThanOrEqual(60);
  });

  it('records log-ins, failed log-ins and changes of an account [realm-5]', () => {
    expect(realm).toMatchObject({ eventsEnabled: true, adminEventsEnabled: true });
    expect(settings['enabledEventTypes']).toEqual(
      expect.arrayContaining([
        'LOGIN',
        'LOGIN_ERROR',
        'LOGOUT',
        'UPDATE_CREDENTIAL',
        'REMOVE_CREDENTIAL',
        'UPDATE_EMAIL',
      ]),
    );
  });

  const { attributes } = userProfile as { attributes: Attribute[] };
  const pattern = attributes.find(({ name }) => name === 'username')?.validations.pattern?.pattern;

  it('has the same username pattern as the contracts', () => {
    expect(pattern).toBe(usernamePattern);
  });

  it('has the same rule for an email address as the contracts', () => {
    const { validations } = attributes.find(({ name }) => name === 'email') ?? {};
    expect(validations?.pattern?.pattern).toBe(emailPattern);
    const { cases } = JSON.parse(
      readFileSync(new URL('../../contracts/cases/emails.json', import.meta.url), 'utf8'),
    ) as { cases: readonly { in: string; kept: string | null }[] };
    const isTaken = (address: string) => new RegExp(`^(?:${emailPattern})$`).test(address);
    expect(cases.filter((one) => isTaken(one.kept ?? one.in) !== (one.kept !== null))).toEqual([]);
    // Two spellings of one mailbox would create two accounts, so the proxy spells domains in ASCII.
    expect(isTaken('ann@bücher.example')).toBe(false);
  });

  it('refuses duplicate email addresses and a change of the username', () => {
    expect(realm).toMatchObject({ editUsernameAllowed: false, duplicateEmailsAllowed: false });
  });

  it.each([
    ['ada_l-1', true],
    ['ab', false],
    ['a'.repeat(31), false],
    ['Ada', false],
    ['ada lovelace', false],
    ['ada.l', false],
    ['admin', false],
    ['undefined', false],
    ['administrators', false],
    ['edit-profile', false],
    ['abc', true],
    ['a'.repeat(30), true],
  ])('allows the username %s: %s', (username, allowed) => {
    expect(new RegExp(`^(?:${pattern})$`).test(username)).toBe(allowed);
    expect(NewUsername.safeParse(username).success).toBe(allowed);
  });

  const names = JSON.parse(
    readFileSync(new URL('../cases/usernames.json', import.meta.url), 'utf8'),
  ) as Record<'reserved' | 'free', string[]> & { displayNames: Record<'reserved' | 'free', string[]> };
  const isFree = (username: string) => new RegExp(`^(?:${pattern})$`).test(username);
  const isName = (name: string) => publicName(80).safeParse(name).success;

  it('reserves usernames and display names that impersonate the site [realm-6]', () => {
    expect(
      names.reserved.filter((username) => isFree(username) || usernameRefusal(username) !== 'reserved'),
    ).toEqual([]);
    expect([...names.reserved, ...names.displayNames.reserved].filter(isName)).toEqual([]);
  });

  it('allows names that resemble reserved ones only in part [realm-7]', () => {
    expect(names.free.length).toBeGreaterThan(60);
    expect(names.free.filter((username) => !isFree(username) || usernameRefusal(username))).toEqual([]);
    expect([...names.free, ...names.displayNames.free].filter((name) => !isName(name))).toEqual([]);
  });

  it('compares a username of any length in linear time', () => {
    const long = [
      'help'.repeat(20_000),
      'a-'.repeat(50_000),
      '1'.repeat(100_000),
      'helpdesk'.repeat(3) + 'helpdx',
    ];
    const before = process.cpuUsage();
    expect(long.filter(isFree)).toEqual(['helpdesk'.repeat(3) + 'helpdx']);
    expect(process.cpuUsage(before).user).toBeLessThan(momentMicroseconds);
  });

  it.each(['807', '5173', '¡+€', '8°+', '1⍺'])(
    'compares a display name of confusable characters in linear time: %s',
    (word) => {
      const before = process.cpuUsage();
      expect(isName(`${word.repeat(40).slice(0, 79)}x`)).toBe(true);
      expect(process.cpuUsage(before).user).toBeLessThan(momentMicroseconds);
    },
  );
});
