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

/** A mail as shown by a mail program that applies its styles. The subject is the address of the screen. */
const mailScreen = (name: string, subject: string, matches: (world: World) => Matches): Screen => ({
  name,
  viewer: 'visitor',
  address: `mail: ${subject}`,
  show: async (page: Page, world) => {
    const { html } = await waitForMail(matches(world));
    // The policy of the site's pages forbids the inline styles of a mail.
    await page.goto('about:blank');
    await page.setContent(html);
    await settled(page);
  },
});

/** A mail of each layout: those of Keycloak, and those of Stoa with and without text of another user. */
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
