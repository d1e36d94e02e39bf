import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from '@jest/globals';
import { saveDrafts } from '../../browser/drafts.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import AddOfferingPage from './add-offering-page.tsx';

test('an incomplete new offering shows every missing field and sends nothing [web-45]', async () => {
  const asked = fakeApi(() => Response.error());
  renderAt('/dashboard/add-offering', <AddOfferingPage />);
  await userEvent.click(screen.getByRole('button', { name: 'Create Offering' }));
  expect(screen.getByLabelText(/Title/).getAttribute('aria-invalid')).toBe('true');
  expect(await screen.findByText(/cover/i, { selector: '[id$=error], [id$=error] *' })).toBeTruthy();
  expect(asked.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a draft returns after a log-in, with the request to choose the cover again', async () => {
  fakeApi(() => Response.error());
  const { unmount } = renderAt('/dashboard/add-offering', <AddOfferingPage />);
  await userEvent.type(screen.getByLabelText(/Title/), 'Letters');
  saveDrafts();
  unmount();
  renderAt('/dashboard/add-offering', <AddOfferingPage />);
  expect(screen.getByLabelText<HTMLInputElement>(/Title/).value).toBe('Letters');
  expect(screen.getByText(/It is not saved yet\. Choose the cover image again\.$/)).toBeTruthy();
});
