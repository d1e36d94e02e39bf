import type { Download } from '@stoa/contracts';
import { render, screen } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import DeliveredMore from './delivered-more.tsx';

const download: Download = {
  ...{ title: 'Bread', type: 'Course', description: '', coverImage: null, mediaUrl: null },
  ...{ files: [], deliveryUrl: null, schedule: null, keyNeeded: false, creator: null },
  deliveryText: 'Bring **wheat**:\n- water\n- salt\n\nhttps://example.com/bread.',
};
const address = { creatorId: 'c', offeringId: 'o', deliveryKey: 'k' };

test('the text for buyers has the formats of a description', () => {
  render(<DeliveredMore onReplaced={() => undefined} address={address} download={download} />);
  expect(screen.getByText('wheat').tagName).toBe('STRONG');
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['water', 'salt']);
  expect(screen.getByRole('link').getAttribute('href')).toBe('https://example.com/bread');
});
