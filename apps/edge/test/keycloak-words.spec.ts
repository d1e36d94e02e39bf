import { waitFor } from '@stoa/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DoorsUnderTest } from './keycloak-under-test.ts';

let doors: DoorsUnderTest;
beforeAll(async () => {
  doors = await DoorsUnderTest.open({ LOG_IN_LIMIT_PER_HOUR: '1000', ACCOUNT_TRIES: '1000' });
});
afterAll(() => doors.stop());

/** The path of a mail's link within the realm. */
const pathIn = (text = '') => /\/realms\/[^/]+\/(login-actions\/action-token\S+)/.exec(text)?.[1] ?? '';
const shown = (purpose: string, words: string) => `<span data-purpose="${purpose}">${words}</span>`;

/** The mail with this subject, once Keycloak has sent it. */
async function mailTo(address: string, subject: string) {
  return waitFor(async () => {
    const mail = (await doors.realm.mailsTo(address)).find((one) => one.subject === subject);
    if (!mail) throw new Error(`There is no mail “${subject}”.`);
    return mail;
  });
}

describe('a page', () => {
  it('names an address that is proved in the browser of its owner, and leads to the dashboard', async () => {
    const owner = await doors.realm.signUp();
    const visitor = await doors.signedIn(owner);
    await doors.realm.sendProof(owner.uid);
    await visitor.open(pathIn((await mailTo(owner.email, 'Confirm your email for Stoa')).text));
    await visitor.open(
      pathIn(/href="([^"]+action-token[^"]+)"/.exec(visitor.html)?.[1]?.replaceAll('&amp;', '&')),
    );
    expect(visitor.html).toContain(shown('VERIFY_EMAIL', 'Email Confirmed'));
    expect(visitor.html).toContain(shown('VERIFY_EMAIL', 'Your email is confirmed.'));
    expect(visitor.html).not.toContain(shown('none', 'All Done'));
    expect(visitor.html).toContain('Go to the Dashboard');
  });

  it.each([
    ['delete-account', 'delete your account'],
    ['export-account', 'export your data'],
    ['payment-link', 'change where payments go'],
    ['decision', 'decide about a report'],
  ])('names what the site asks to confirm: %s', async (purpose, words) => {
    const visitor = await doors.signedIn(await doors.realm.signUp());
    await visitor.begin({ prompt: 'login', stoa_for: purpose });
    expect(visitor.html).toContain(shown(purpose, `Confirm that it is you to ${words}`));
    expect(visitor.html).toContain('<title>Confirm that it is you · ');
  });

  it('asks without a reason where none is known, and welcomes strangers as before', async () => {
    const visitor = await doors.signedIn(await doors.realm.signUp());
    await visitor.begin({ prompt: 'login', stoa_for: 'other' });
    expect(visitor.html).toContain(shown('none', 'Confirm that it is you'));
    const stranger = doors.visitor();
    await stranger.begin({ stoa_for: 'delete-account' });
    expect(stranger.html).toContain('Welcome Back');
    expect(stranger.html).toContain('New to Stoa?');
  });

  it('explains a change of email at the log-in that the site began for it', async () => {
    const notice = /<p [^>]*data-purpose="email-changed"( hidden)?>/;
    const visitor = doors.visitor();
    await visitor.begin();
    expect(notice.exec(visitor.html)?.[1]).toBe(' hidden');
    await visitor.begin({ stoa_for: 'email-changed' });
    expect(notice.exec(visitor.html)).not.toBeNull();
    expect(notice.exec(visitor.html)?.[1]).toBeUndefined();
  });
});

describe('a mail about a way to log in', () => {
  it('names it in plain words, with the date of all mails and the username', async () => {
    const owner = await doors.realm.signUp();
    await doors.realm.change(owner.uid, {
      email: owner.email,
      emailVerified: true,
      attributes: { displayName: ['Former'] },
    });
    const visitor = await doors.signedIn(owner);
    await visitor.begin({ kc_action: 'CONFIGURE_RECOVERY_AUTHN_CODES' });
    await visitor.submit('kc-recovery-codes-settings-form', {});
    const { text, html } = await mailTo(owner.email, 'A way to log in was changed');
    for (const part of [text, html]) {
      expect(part).toContain(`Hello ${owner.username},`);
      // Of the sign-up, whatever the profile has now.
      expect(part).not.toContain('Former');
      expect(part).toMatch(
        /\(recovery codes\) was changed on \d{1,2} [A-Z][a-z]+ \d{4} at \d\d:\d\d UTC from/,
      );
    }
  });
});
