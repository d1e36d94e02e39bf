import { VisitKind } from '@stoa/contracts';
import { limits } from '@stoa/contracts/limits';
import { screen } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { renderAt } from '../../testing/render.tsx';
import PrivacyPage from './privacy-page.tsx';

/** The page's wording for each counted kind. A new kind needs an entry. */
const wordings: Record<VisitKind, RegExp> = {
  view: /how often it and each offering are viewed/,
  access: /how often “Access Now”.* followed/,
  support: /a support link .*followed/,
  download: /a download .*followed/,
};

function sectionText(): string {
  renderAt('/privacy', <PrivacyPage />);
  return (
    screen.getByRole('heading', { name: 'What we count' }).nextElementSibling?.textContent ?? ''
  ).replace(/\s+/g, ' ');
}

test('the privacy policy lists all that is counted of visitors, and exclusions [web-35]', () => {
  const text = sectionText();
  for (const kind of VisitKind.options)
    expect([kind, text]).toEqual([kind, expect.stringMatching(wordings[kind])]);
  for (const words of [
    'the name of the site that a visitor came from',
    'No cookie is set and no network address is kept',
    'a random key that is thrown away when the day is over',
    'Programs and the creator’s own visits are left out',
    'Do Not Track or Global Privacy Control',
  ])
    expect(text).toContain(words);
});

test('the privacy policy states how long the sums are kept', () => {
  expect(limits.visitDays).toBeLessThanOrEqual(13 * 31);
  expect(sectionText()).toContain('kept for 13 months');
});

test('the privacy policy states that backups keep deleted data, and for how long', () => {
  renderAt('/privacy', <PrivacyPage />);
  const { nextElementSibling: section } = screen.getByRole('heading', { name: 'How long we keep it' });
  expect(section?.textContent).toMatch(/backups.* keep a copy for up to about a month/);
});
