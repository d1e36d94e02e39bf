import { guidelineLabels } from '@stoa/contracts/choices';
import { expect, test } from '@jest/globals';
import GuidelinesPage from './features/legal/guidelines-page.tsx';
import { renderAt } from './testing.tsx';

test('every reason stands in the Community Guidelines, in these words', () => {
  renderAt('/community-guidelines', <GuidelinesPage />);
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9 ]/g, '');
  const words = plain(document.body.textContent);
  const missing = Object.values(guidelineLabels).filter((label) => !words.includes(plain(label)));
  expect(missing).toEqual([]);
});
