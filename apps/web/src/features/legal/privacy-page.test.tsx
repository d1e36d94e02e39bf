import { VisitKind } from '@stoa/contracts';
import { limits } from '@stoa/contracts/limits';
import { screen } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { renderAt } from '../../testing.tsx';
import PrivacyPage from './privacy-page.tsx';

/** How the page calls what is counted: a kind that is new has to be told. */
const toldAs: Record<VisitKind, RegExp> = {
  view: /how often it and each offering are viewed/,
  access: /how often “Access Now”.* followed/,
  support: /a support link .*followed/,
  download: /a download .*followed/,
};

function said(): string {
  renderAt('/privacy', <PrivacyPage />);
  return (
    screen.getByRole('heading', { name: 'What we count' }).nextElementSibling?.textContent ?? ''
  ).replace(/\s+/g, ' ');
}

test('the privacy policy says all that is counted of visitors, and of whom nothing', () => {
  const text = said();
  for (const kind of VisitKind.options)
    expect([kind, text]).toEqual([kind, expect.stringMatching(toldAs[kind])]);
  for (const words of [
    'the name of the site that a visitor came from',
    'No cookie is set and no network address is kept',
    'a random key that is thrown away when the day is over',
    'Programs and the creator’s own visits are left out',
    'Do Not Track or Global Privacy Control',
  ])
    expect(text).toContain(words);
});

test('the privacy policy says for how long the sums are kept', () => {
  expect(limits.visitDays).toBeLessThanOrEqual(13 * 31);
  expect(said()).toContain('kept for 13 months');
});

test('the privacy policy says that backups keep a copy of what was deleted, and for how long', () => {
  renderAt('/privacy', <PrivacyPage />);
  const { nextElementSibling: section } = screen.getByRole('heading', { name: 'How long we keep it' });
  expect(section?.textContent).toMatch(/backups.* keep a copy for up to about a month/);
});
