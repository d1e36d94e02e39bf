import type { Page } from '@playwright/test';
import { isTo, type Mail, waitForMail } from '../mail-catcher.ts';
import { settled } from '../settled.ts';
import type { Screen, World } from './screen.ts';

type Matches = (mail: Mail) => boolean;
type Addressee = Pick<World['seller'], 'email'>;

const mailTo =
  ({ email }: Addressee, subject: string): Matches =>
  (mail) =>
    isTo(email)(mail) && mail.subject === subject;

export const linkChangeMail = (seller: Addressee) => mailTo(seller, 'Your Stoa payment link was changed');

/** Shows a mail as a mail program does. The reports show the subject instead of an address. */
const mailScreen = (name: string, subject: string, matches: (world: World) => Matches): Screen => ({
  name,
  viewer: 'visitor',
  address: `mail: ${subject}`,
  show: async (page: Page, world) => {
    const { html } = await waitForMail(matches(world));
    // An empty page, because the content policy of the site forbids the inline styles of the mail.
    await page.goto('about:blank');
    await page.setContent(html);
    await settled(page);
  },
});

/** A mail of each layout: of Keycloak, and of Stoa with and without text of another user. */
export const mailScreens: readonly Screen[] = [
  mailScreen('mail-confirm', 'Confirm your email for Stoa', ({ beginner }) =>
    mailTo(beginner, 'Confirm your email for Stoa'),
  ),
  mailScreen('mail-message', '[Stoa] {subject}', ({ seller }) =>
    mailTo(seller, '[Stoa] A print for my mother'),
  ),
  mailScreen('mail-link-change', 'Your Stoa payment link was changed', ({ seller }) =>
    linkChangeMail(seller),
  ),
  mailScreen(
    'mail-hidden',
    'Your page on Stoa is hidden',
    ({ seller }) =>
      (mail) =>
        mailTo(seller, 'Your page on Stoa is hidden')(mail) && mail.text.includes('Portraits of Strangers'),
  ),
];
