import { guidelineLabels } from '@stoa/contracts';
import type { Mail } from './mailer.client.ts';
import type { DueReviewMail } from './review-mails.repository.ts';

/** What a creator is told of an operator's decision about a page of theirs. */
export function composeReviewMail(
  { outcome, title, reason, text, address, username }: DueReviewMail,
  { dashboard, guidelines }: { dashboard: string; guidelines: string },
): Mail {
  const what = title === null ? `the profile @${username}` : `the offering “${title}” of @${username}`;
  const said = text ? `\n${text}\n` : '';
  const end = `
-- 
Stoa, a home for creators.
`;
  if (outcome === 'restored')
    return {
      to: address,
      subject: 'Your page on Stoa is shown again',
      text: `Hello,

we have looked again at ${what}. Visitors see it as before.
${said}${end}`,
    };
  if (outcome === 'upheld')
    return {
      to: address,
      subject: 'Your page on Stoa stays hidden',
      text: `Hello,

we have looked again at ${what}, as you asked. It stays hidden.
${said}
What the Community Guidelines say: ${guidelines}
${end}`,
    };
  const rule = reason ? `\n${guidelineLabels[reason]}\n` : '';
  return {
    to: address,
    subject: 'Your page on Stoa is hidden',
    text: `Hello,

${what} is hidden: visitors no longer see it. A visitor reported it, and we found that it goes against our Community Guidelines:
${rule}${said}
If we are wrong about it, say so on your dashboard, once, and it is looked at again:

${dashboard}

The Community Guidelines: ${guidelines}
${end}`,
  };
}
