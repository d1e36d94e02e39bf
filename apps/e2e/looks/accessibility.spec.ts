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

// In sequence with shared data, so that screenshots differ only by their screen.
test.describe.configure({ mode: 'default', timeout: 240_000 });

let world: World;
const distinct = new DistinctScreenshots();

test.beforeAll(async () => {
  // The timeout above does not apply to this hook, which creates all accounts and pictures.
  test.setTimeout(240_000);
  const [full, accounts] = await Promise.all([makeFullCreator(), makeScreenAccounts()]);
  // Only an offering with content for buyers has a link to rotate.
  const { offering } = await makeOfferingWithFile(full, randomFile(), {
    title: 'Averyveryverylongwordthatnobodywouldeverwriteinatitle',
  });
  await makePastVisits(full.uid, offering.id);
  world = { ...accounts, creator: { ...full, offeringId: offering.id, slug: offering.slug } };
});

/** Small groups, so that the title of a failed test names the screens. */
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
