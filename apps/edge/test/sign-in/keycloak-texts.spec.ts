import { waitFor } from '@stoa/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EdgeUnderTest } from './keycloak-under-test.ts';

let edge: EdgeUnderTest;
beforeAll(async () => {
  edge = await EdgeUnderTest.open({ LOG_IN_LIMIT_PER_HOUR: '1000', ACCOUNT_TRIES: '1000' });
});
afterAll(() => edge.stop());

/** Finds a mailed link in the text, and returns its path within the realm. */
const pathIn = (text = '') => /\/realms\/[^/]+\/(login-actions\/action-token\S+)/.exec(text)?.[1] ?? '';
const shown = (purpose: string, words: string) => `<span data-purpose="${purpose}">${words}</span>`;

/** Waits for the mail with this subject, and returns it. */
async function mailTo(address: string, subject: string) {
  return waitFor(async () => {
    const mail = (await edge.realm.mailsTo(address)).find((one) => one.subject === subject);
    if (!mail) throw new Error(`There is no mail “${subject}”.`);
    return mail;
  });
}

describe('a page', () => {
  it('confirms an address in the browser of its owner, and links the dashboard', async () => {
    const owner = await edge.realm.signUp();
    const visitor = await edge.signedIn(owner);
    await edge.realm.sendProof(owner.uid);
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
  ])('names the purpose for which the site requests a log-in: %s', async (purpose, words) => {
    const visitor = await edge.signedIn(await edge.realm.signUp());
    await visitor.begin({ prompt: 'login', stoa_for: purpose });
    expect(visitor.html).toContain(shown(purpose, `Confirm that it is you to ${words}`));
    expect(visitor.html).toContain('<title>Confirm that it is you · ');
  });

  it('shows the general text for an unknown purpose, and the welcome without a session', async () => {
    const visitor = await edge.signedIn(await edge.realm.signUp());
    await visitor.begin({ prompt: 'login', stoa_for: 'other' });
    expect(visitor.html).toContain(shown('none', 'Confirm that it is you'));
    const stranger = edge.visitor();
    await stranger.begin({ stoa_for: 'delete-account' });
    expect(stranger.html).toContain('Welcome Back');
    expect(stranger.html).toContain('New to Stoa?');
  });

  it('explains a change of email at the log-in that the site started for it', async () => {
    const notice = /<p [^>]*data-purpose="email-changed"( hidden)?>/;
    const visitor = edge.visitor();
    await visitor.begin();
    expect(notice.exec(visitor.html)?.[1]).toBe(' hidden');
    await visitor.begin({ stoa_for: 'email-changed' });
    expect(notice.exec(visitor.html)).not.toBeNull();
    expect(notice.exec(visitor.html)?.[1]).toBeUndefined();
  });
});

describe('a mail about a way to log in', () => {
  it('names it, with the date format of all mails and the username [edge-24]', async () => {
    const owner = await edge.realm.signUp();
    await edge.realm.change(owner.uid, {
      email: owner.email,
      emailVerified: true,
      attributes: { displayName: ['Former'] },
    });
    const visitor = await edge.signedIn(owner);
    await visitor.begin({ kc_action: 'CONFIGURE_RECOVERY_AUTHN_CODES' });
    await visitor.submit('kc-recovery-codes-settings-form', {});
    const { text, html } = await mailTo(owner.email, 'A way to log in was changed');
    for (const part of [text, html]) {
      expect(part).toContain(`Hello ${owner.username},`);
      // The mail must not use Keycloak's display name, which is not updated after the sign-up.
      expect(part).not.toContain('Former');
      expect(part).toMatch(
        /\(recovery codes\) was changed on \d{1,2} [A-Z][a-z]+ \d{4} at \d\d:\d\d UTC from/,
      );
    }
  });
});
