import type { Bus } from '@stoa/messaging';
import { Logger } from '@nestjs/common';
import { expect, it, jest } from '@jest/globals';
import type { EdgeConfig } from '../edge.config.ts';
import { SignInLimits } from './sign-in-limits.ts';

const some = {
  REQUEST_LIMIT_PER_MINUTE: 9,
  TOKEN_LIMIT_PER_MINUTE: 9,
  LOG_IN_LIMIT_PER_HOUR: 9,
  REGISTRATION_LIMIT_PER_HOUR: 9,
  RESET_LIMIT_PER_HOUR: 9,
  ACCOUNT_TRIES: 9,
  ACCOUNT_TRIES_MINUTES: 9,
};

it('limits mails per recipient for each unknown network, and for all of them together', () => {
  jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const own = { KEYCLOAK_URL: 'https://accounts.stoa.test', DEVICE_KEY: 'a key of the tests alone' };
  const mails = {
    RESET_MAILS_PER_HOUR: 3,
    MAILS_PER_RECIPIENT_AND_HOUR: 7,
    MAILS_PER_RECIPIENT_AND_DAY: 10,
  };
  const limits = new SignInLimits({ ...some, ...own, ...mails } as EdgeConfig, {} as Bus);
  const sent = (tries: number, address: string, cookies?: string) =>
    Array.from({ length: tries }, () => limits.checkMail('ada', address, cookies)).filter(
      ({ allowed }) => allowed,
    ).length;
  expect([sent(5, '203.0.113.1'), sent(5, '203.0.113.2'), sent(5, '203.0.113.3')]).toEqual([3, 3, 1]);
  const [cookie = ''] = limits.mailCookie('ada').split(';');
  expect(sent(5, '203.0.113.1', cookie)).toBe(3);
  const [other = ''] = limits.mailCookie('bob').split(';');
  expect(sent(1, '203.0.113.4', other)).toBe(0);
});

it('limits mails to a mailbox per day, over all spellings of its address', () => {
  jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const own = { KEYCLOAK_URL: 'https://accounts.stoa.test', DEVICE_KEY: 'a key of the tests alone' };
  const mails = {
    RESET_MAILS_PER_HOUR: 3,
    MAILS_PER_RECIPIENT_AND_HOUR: 70,
    MAILS_PER_RECIPIENT_AND_DAY: 5,
  };
  const limits = new SignInLimits({ ...some, ...own, ...mails } as EdgeConfig, {} as Bus);
  const spellings = ['ada@example.test', 'Ada@example.test', 'ada+1@example.test', 'ada+2@example.test'];
  const allowed = spellings.flatMap((recipient, index) =>
    [1, 2, 3].filter(() => limits.checkMail(recipient, `203.0.113.${index}`, undefined).allowed),
  );
  expect(allowed).toHaveLength(5);
  expect(limits.checkMail('bob@example.test', '203.0.113.1', undefined).allowed).toBe(true);
});

it("bounds Keycloak's mails to a mailbox per day, over all accounts and spellings", () => {
  jest.useFakeTimers({ now: 0 });
  jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const own = { KEYCLOAK_URL: 'https://accounts.stoa.test', DEVICE_KEY: 'a key of the tests alone' };
  const mails = {
    RESET_MAILS_PER_HOUR: 3,
    MAILS_PER_RECIPIENT_AND_HOUR: 12,
    MAILS_PER_RECIPIENT_AND_DAY: 24,
  };
  const limits = new SignInLimits({ ...some, ...own, ...mails } as EdgeConfig, {} as Bus);
  const sent = { known: 0, strange: 0 };
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    const recipient = `Ada+${minute}@example.test`;
    const [cookie = ''] = limits.mailCookie(recipient.toLowerCase()).split(';');
    if (limits.checkMail(recipient.toLowerCase(), '203.0.113.1', cookie).allowed) sent.known += 1;
    if (limits.checkMail(recipient, `203.0.${minute % 250}.1`, undefined).allowed) sent.strange += 1;
    jest.advanceTimersByTime(60_000);
  }
  jest.useRealTimers();
  // At least the daily limit of 24, and at most twice as many, because the limit refills during the day.
  expect(sent.strange).toBeGreaterThan(24);
  expect(sent.strange).toBeLessThanOrEqual(48);
  expect(sent.known + sent.strange).toBeLessThanOrEqual(96);
});

it('bounds mails to a mailbox per hour and day, also after 50,000 other recipients', () => {
  jest.useFakeTimers({ now: 0 });
  jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const own = { KEYCLOAK_URL: 'https://accounts.stoa.test', DEVICE_KEY: 'a key of the tests alone' };
  const mails = {
    RESET_MAILS_PER_HOUR: 3,
    MAILS_PER_RECIPIENT_AND_HOUR: 7,
    MAILS_PER_RECIPIENT_AND_DAY: 10,
  };
  const limits = new SignInLimits({ ...some, ...own, ...mails } as EdgeConfig, {} as Bus);
  const sent = (address: string) =>
    [1, 2, 3, 4, 5].filter(() => limits.checkMail('ada@example.test', address, undefined).allowed).length;
  expect([sent('203.0.113.1'), sent('203.0.113.2')]).toEqual([3, 3]);
  for (let other = 0; other < 50_000; other += 1)
    limits.checkMail(`other-${other}@example.test`, '198.51.100.1', undefined);
  // The first network has used up its share of the hour, the third one gets the last mail of the mailbox.
  expect([sent('203.0.113.1'), sent('203.0.113.3')]).toEqual([0, 1]);
  jest.advanceTimersByTime(3_600_000);
  // One network gets the rest of the mailbox's daily limit, and the next network nothing.
  expect([sent('203.0.113.4'), sent('203.0.113.5')]).toEqual([3, 0]);
  jest.useRealTimers();
});

const usual = {
  ...some,
  KEYCLOAK_URL: 'https://accounts.stoa.test',
  DEVICE_KEY: 'a key of the tests alone',
  RESET_MAILS_PER_HOUR: 3,
  MAILS_PER_RECIPIENT_AND_HOUR: 12,
  MAILS_PER_RECIPIENT_AND_DAY: 24,
};

it("keeps an owner's share of mails when accounts with other spellings of the mailbox use up theirs", () => {
  jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const limits = new SignInLimits(usual as EdgeConfig, {} as Bus);
  const sent = (recipient: string, address: string, setCookie: string) => {
    const [cookie] = setCookie.split(';');
    return [1, 2, 3, 4, 5, 6, 7, 8].filter(() => limits.checkMail(recipient, address, cookie).allowed).length;
  };
  // The attacker has not confirmed these addresses, so all of them share the limit of one network.
  const strange = (recipient: string, address: string) =>
    sent(recipient, address, limits.deviceCookie(recipient));
  expect(strange('ada+x@example.test', '203.0.113.1')).toBe(3);
  for (let other = 1; other <= 8; other += 1)
    expect(strange(`ada+${other}@example.test`, '203.0.113.1')).toBe(0);
  expect(sent('ada@example.test', '203.0.113.2', limits.mailCookie('ada@example.test'))).toBe(6);
  // The mailbox has an hourly limit for all networks together.
  const networks = Array.from({ length: 200 }, (_, index) => `198.51.${index}.1`);
  expect(networks.reduce((sum, network) => sum + strange(`ada+${network}@example.test`, network), 0)).toBe(6);
  expect(sent('ada@example.test', '203.0.113.2', limits.mailCookie('ada+x@example.test'))).toBe(0);
});

it("keeps an owner's share of mails during a day of requests for another spelling from one network", () => {
  jest.useFakeTimers({ now: 0 });
  jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const limits = new SignInLimits(usual as EdgeConfig, {} as Bus);
  const [strange] = limits.deviceCookie('ada+x@example.test').split(';');
  const [own] = limits.mailCookie('ada@example.test').split(';');
  const sent = { known: 0, elsewhere: 0, attacker: 0 };
  for (let minute = 1; minute <= 24 * 60; minute += 1) {
    jest.advanceTimersByTime(60_000);
    if (limits.checkMail('ada+x@example.test', '203.0.113.1', strange).allowed) sent.attacker += 1;
    if (minute % 360 > 0) continue;
    if (limits.checkMail('ada@example.test', '203.0.113.2', own).allowed) sent.known += 1;
    // A new device of the owner, without a cookie.
    if (limits.checkMail('ada@example.test', '203.0.113.3', undefined).allowed) sent.elsewhere += 1;
  }
  jest.useRealTimers();
  // A network gets a quarter of the daily limit (6), which refills during the day.
  expect(sent).toEqual({ known: 4, elsewhere: 4, attacker: 11 });
});
