import { paths } from '@stoa/contracts';
import { makeFullCreator } from '../src/creators.ts';
import { button, inMenu, link } from '../src/engines/actions.ts';
import { expect, test } from '../src/engines/engine-test.ts';

for (const [width, height] of [
  [320, 256],
  [360, 740],
] as const) {
  test.describe(`in a window of ${width} × ${height}`, () => {
    test.use({ setup: { dark: false, width, height } });

    test('public pages do not scroll horizontally, and the menu opens [e2e-47]', async ({ visitor }) => {
      test.slow();
      const { username, slug } = await makeFullCreator();
      for (const path of [
        '/',
        paths.browse,
        paths.profile(username),
        paths.offering(username, slug),
        '/contact',
      ]) {
        await visitor.open(path);
        expect(await visitor.value('innerWidth')).toBe(width);
        const scrollsBy = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect.soft(await visitor.value(scrollsBy), path).toBe(0);
      }
      await visitor.click(button('Open menu'));
      await visitor.click(inMenu(link('About Us')));
      await expect.poll(async () => (await visitor.address()).pathname).toBe('/about');
      await visitor.seesNo(inMenu(link('About Us')));
    });
  });
}

test.describe('with a dark system theme', () => {
  test.use({ setup: { dark: true, width: 1280, height: 900 } });

  test('the site and the sign-in pages are dark [e2e-48]', async ({ visitor }) => {
    const lightness = `(() => {
      const canvas = document.createElement('canvas').getContext('2d');
      canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
      canvas.fillRect(0, 0, 1, 1);
      return Math.max(...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3));
    })()`;
    await visitor.open('/');
    expect(await visitor.value(lightness)).toBeLessThan(64);
    await visitor.click(inMenu(link('Log In')));
    await visitor.sees({ role: 'heading', name: 'Welcome Back' });
    expect(await visitor.value(lightness)).toBeLessThan(64);
  });
});
