import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { makeFullCreator } from '../src/creators.ts';
import { makeOfferingWithFile } from '../src/delivery.ts';
import { randomFile } from '../src/files.ts';
import { makePastVisits } from '../src/past-visits.ts';
import { makeScreenAccounts } from '../src/screens/screen-accounts.ts';
import { signInAs } from '../src/screens/sign-in-as.ts';
import { DistinctScreenshots, screenshotOf } from '../src/screens/screenshot.ts';
import { setViewportAndTheme, phone, showScreen, viewers, type World } from '../src/screens/screen.ts';
import { screens } from '../src/screens/screens.ts';
import { test } from '../src/test.ts';

// One test after the other, with shared data, so that two screenshots differ only by their screen.
test.describe.configure({ mode: 'default', timeout: 240_000 });

let world: World;
const distinct = new DistinctScreenshots();

test.beforeAll(async () => {
  // This hook creates all accounts and pictures. The timeout above does not apply to hooks.
  test.setTimeout(240_000);
  const [full, accounts] = await Promise.all([makeFullCreator(), makeScreenAccounts()]);
  // The screen shows the link for buyers, which only an offering with a file or text for buyers has.
  const { offering } = await makeOfferingWithFile(full, randomFile(), {
    title: 'Averyveryverylongwordthatnobodywouldeverwriteinatitle',
  });
  await makePastVisits(full.uid, offering.id);
  world = { ...accounts, creator: { ...full, offeringId: offering.id, slug: offering.slug } };
});

/** Number of screens per test. With few screens, the title of a failed test can name them. */
const share = 4;

for (const viewer of viewers) {
  const theirs = screens.filter((screen) => screen.viewer === viewer);
  for (let first = 0; first < theirs.length; first += share) {
    const some = theirs.slice(first, first + share);
    const names = some.map(({ name }) => name).join(', ');
    test(`no axe violation, no horizontal scrolling, no two screens alike: ${names} [e2e-171]`, async ({
      page,
    }) => {
      await signInAs(page, viewer, world);
      for (const screen of some) {
        await showScreen(page, screen, world);
        await expectAccessible(page, screen.name, screen.phone ? phone : undefined);
        await setViewportAndTheme(page, phone, 'light');
        distinct.add(screen.name, (await screenshotOf(page, screen)).png);
      }
    });
  }
}
