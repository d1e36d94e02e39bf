import { type AdminApi, type Answer, Browser, findForm } from '@stoa/realm';
import { expect, it } from '@jest/globals';
import type { Parts } from '../src/index.ts';
import { waitFor } from '../src/testing/wait-for.ts';
import { newAccount } from './keycloak-under-test.ts';

const additions = {
  CONFIGURE_TOTP: 'kc-totp-settings-form',
  'webauthn-register': 'register',
  CONFIGURE_RECOVERY_AUTHN_CODES: 'kc-recovery-codes-settings-form',
};
const password = 'columns and porticos';
/** The shortened limit in seconds; the realm's own limit is 300. */
const shortLimit = 5;

/** The additions that a session may make to its account, by the age of its log-in, with a shortened limit. */
export function sessionAgeTests(started: () => { parts: Parts; admin: AdminApi }): void {
  it.each(Object.entries(additions))(
    'a session that is older than the setting enters the password before %s, once [system-26]',
    async (alias, form) => {
      const { parts, admin } = started();
      const account = newAccount(parts);
      await account.signUp(password);
      const session = sessionOf(parts);
      await session.begin();
      await session.enter({ username: account.username, password });
      const loggedInAt = performance.now();
      await session.begin(alias);
      expect(session.shows(form)).toBe(true);

      const address = { realm: 'stoa', alias };
      const action = await admin.authenticationManagement.getRequiredActionForAlias(address);
      const limitAge = (seconds: number) =>
        admin.authenticationManagement.updateRequiredAction(address, {
          ...action,
          config: { ...action.config, max_auth_age: String(seconds) },
        });
      try {
        await limitAge(shortLimit);
        await waitFor(
          async () => {
            await session.begin(alias);
            expect(session.shows('kc-form-login')).toBe(true);
          },
          { timeout: 30_000 },
        );
        await session.enter({ password: 'not this one' });
        expect(session.shows('kc-form-login')).toBe(true);
        await limitAge(300);
        await session.enter({ password });
        expect(session.shows(form)).toBe(true);
        // Once this action has ended, the password counts for the next one. The first log-in is too old for it.
        await session.cancel(form);
        await limitAge(Math.floor((performance.now() - loggedInAt) / 1000) - 1);
        await session.begin(alias);
        expect(session.shows(form)).toBe(true);
      } finally {
        await limitAge(300);
      }
    },
  );
}

function sessionOf({ keycloak: { publicUrl, url, realm }, siteUrl }: Parts) {
  const callback = `${siteUrl}/auth/callback`;
  const reach = (address: string) =>
    address.startsWith(publicUrl) ? url + address.slice(publicUrl.length) : address;
  const browser = new Browser(callback, {}, reach);
  let answer: Answer;
  const pageForm = (id: string) => (answer.kind === 'page' ? findForm(answer.html, id) : undefined);
  return {
    shows: (id: string) => pageForm(id) !== undefined,
    begin: async (action?: string) => {
      const query = new URLSearchParams({
        ...{ client_id: 'web', redirect_uri: callback, response_type: 'code', scope: 'openid', state: 'any' },
        ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
        ...(action && { kc_action: action }),
      });
      answer = await browser.get(`${publicUrl}/realms/${realm}/protocol/openid-connect/auth?${query}`);
    },
    cancel: async (id: string) => {
      const form = pageForm(id);
      if (!form) throw new Error(`There is no form ${id}.`);
      answer = await browser.post(form.action, { ...form.hidden, 'cancel-aia': 'true' });
    },
    enter: async (fields: Record<string, string>) => {
      const form = pageForm('kc-form-login');
      if (!form) throw new Error('There is no log-in form.');
      answer = await browser.post(form.action, { ...form.hidden, ...fields });
    },
  };
}
