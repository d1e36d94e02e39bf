import { guidelineLabels } from '@stoa/contracts/choices';
import { expect, test } from '@jest/globals';
import GuidelinesPage from './guidelines-page.tsx';
import { renderAt } from '../../testing/render.tsx';

test('the Community Guidelines contain every reason in these words [web-95]', () => {
  renderAt('/community-guidelines', <GuidelinesPage />);
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9 ]/g, '');
  const words = plain(document.body.textContent);
  const missing = Object.values(guidelineLabels).filter((label) => !words.includes(plain(label)));
  expect(missing).toEqual([]);
});
