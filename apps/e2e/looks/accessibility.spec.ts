import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { makeFullCreator } from '../src/creators.ts';
import { makeOfferingWithFile } from '../src/delivery.ts';
import { randomFile } from '../src/files.ts';
import { makePastVisits } from '../src/past-visits.ts';
import { makeCast } from '../src/screens/cast.ts';
import { signInAs } from '../src/screens/sign-in-as.ts';
import { DistinctScreenshots, screenshotOf } from '../src/screens/screenshot.ts';
import { setViewportAndTheme, phone, showScreen, viewers, type World } from '../src/screens/screen.ts';
import { screens } from '../src/screens/screens.ts';
import { test } from '../src/test.ts';

// One after the other in one world, so that pictures differ by nothing but what they show.
test.describe.configure({ mode: 'default', timeout: 240_000 });

let world: World;
const distinct = new DistinctScreenshots();

test.beforeAll(async () => {
  // What is configured above is for the tests: all whom the screens show are made here, with their pictures.
  test.setTimeout(240_000);
  const [full, cast] = await Promise.all([makeFullCreator(), makeCast()]);
  // With something to deliver, or there is no link to rotate.
  const { offering } = await makeOfferingWithFile(full, randomFile(), {
    title: 'Averyveryverylongwordthatnobodywouldeverwriteinatitle',
  });
  await makePastVisits(full.uid, offering.id);
  world = { ...cast, creator: { ...full, offeringId: offering.id, slug: offering.slug } };
});

/** So few that a failure names the screens it is about. */
const share = 4;

for (const viewer of viewers) {
  const theirs = screens.filter((screen) => screen.viewer === viewer);
  for (let first = 0; first < theirs.length; first += share) {
    const some = theirs.slice(first, first + share);
    const names = some.map(({ name }) => name).join(', ');
    test(`no axe violation, no horizontal scrolling, no two screens alike: ${names}`, async ({ page }) => {
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
