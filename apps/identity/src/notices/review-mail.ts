import { guidelineLabels } from '@stoa/contracts';
import { greetingOf, layOutMail, type MailPart } from '@stoa/platform';
import { footer, type Mail } from '../mails/mailer.client.ts';
import type { DueReviewMail } from './review-mails.repository.ts';

export function composeReviewMail(
  { outcome, title, reason, text, address, displayName, username }: DueReviewMail,
  { dashboard, guidelines }: { dashboard: string; guidelines: string },
): Mail {
  const what = title === null ? `the profile @${username}` : `the offering “${title}” of @${username}`;
  const explanation = text ? [{ quote: text }] : [];
  const mailOf = (subject: string, parts: readonly MailPart[]): Mail => ({
    to: address,
    ...layOutMail({ subject, parts: [greetingOf(displayName), ...parts], footer }),
  });
  if (outcome === 'restored')
    return mailOf('Your page on Stoa is shown again', [
      `we have looked again at ${what}. Visitors see it as before.`,
      ...explanation,
    ]);
  if (outcome === 'upheld')
    return mailOf('Your page on Stoa stays hidden', [
      `we have looked again at ${what}, as you asked. It stays hidden.`,
      ...explanation,
      'What the Community Guidelines say:',
      { action: 'Read the guidelines', url: guidelines },
    ]);
  return mailOf('Your page on Stoa is hidden', [
    `${what} is hidden: visitors no longer see it. A visitor reported it, and we found that it goes against our Community Guidelines:`,
    ...(reason ? [guidelineLabels[reason]] : []),
    ...explanation,
    'If we are wrong about it, say so on your dashboard, once, and it is looked at again:',
    { action: 'Open the dashboard', url: dashboard },
    `The Community Guidelines: ${guidelines}`,
  ]);
}
