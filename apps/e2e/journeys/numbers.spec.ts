import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { expect, test } from '../src/test.ts';

test('before anybody came the panel says what to do', async ({ dashboardPage: page }) => {
  const panel = page.getByRole('region', { name: 'Numbers' });
  await expect(panel.getByText('No visits yet. Share your page.')).toBeVisible();
  await panel.getByRole('button', { name: '7 days' }).click();
  await expect(panel.getByRole('button', { name: '7 days' })).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible(page, 'dashboard-no-visits');
});
