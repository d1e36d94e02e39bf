import { makeCreator, makeOffering } from '../src/creators.ts';
import { expectPath, button, inMenu, link, logIn } from '../src/engines/actions.ts';
import { expect, test } from '../src/engines/engine-test.ts';

test('the skip link has the first keyboard focus and leads to the main content [e2e-38]', async ({
  visitor,
}) => {
  await visitor.open('/about');
  await visitor.press('Tab');
  expect(await visitor.hasFocus(link('Skip to content'))).toBe(true);
  await visitor.press('Enter');
  await expect.poll(() => visitor.hasFocus({ role: 'main' })).toBe(true);
});

test.describe('on a phone', () => {
  test.use({ setup: { dark: false, width: 360, height: 740 } });

  test('the menu opens and closes by keyboard [e2e-39]', async ({ visitor }) => {
    await visitor.open('/about');
    for (let stop = 0; stop < 6; stop += 1) {
      await visitor.press('Tab');
      if (await visitor.hasFocus(button('Open menu'))) break;
    }
    expect(await visitor.hasFocus(button('Open menu'))).toBe(true);
    await visitor.press('Enter');
    await visitor.sees(inMenu(link('Home')));
    await visitor.press('Tab');
    expect(await visitor.hasFocus(inMenu(link('Home')))).toBe(true);
    await visitor.press('Escape');
    await visitor.seesNo(inMenu(link('Home')));
    expect(await visitor.hasFocus(button('Open menu'))).toBe(true);
  });
});

test('a dialog takes the focus and returns it after Escape [e2e-40]', async ({ visitor }) => {
  const creator = await makeCreator();
  const { title } = await makeOffering(creator.token);
  await visitor.open('/dashboard');
  await logIn(visitor, creator);
  await expectPath(visitor, '/dashboard');
  const asker = button(`Delete ${title}`);
  await visitor.click(asker);
  const question = { role: 'alertdialog', name: 'Delete this offering?' } as const;
  await visitor.sees(question);
  await expect.poll(() => visitor.hasFocus({ ...button('Cancel'), in: question })).toBe(true);
  await visitor.press('Escape');
  await visitor.seesNo(question);
  await expect.poll(() => visitor.hasFocus(asker)).toBe(true);
});
