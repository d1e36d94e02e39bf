import { judge } from '../src/accessibility/judge.ts';
import { makeCreator, makeFullCreator } from '../src/creators.ts';
import { makeDelivered, makeDelivery } from '../src/delivery.ts';
import { aFile } from '../src/files.ts';
import { enter } from '../src/screens/enter.ts';
import { DistinctPictures, pictureOf } from '../src/screens/picture.ts';
import { look, phone, show, viewers, type World } from '../src/screens/screen.ts';
import { screens } from '../src/screens/screens.ts';
import { test } from '../src/test.ts';

// One after the other in one world, so that pictures differ by nothing but what they show.
test.describe.configure({ mode: 'default', timeout: 240_000 });

let world: World;
const distinct = new DistinctPictures();

test.beforeAll(async () => {
  const [full, newcomer, delivery] = await Promise.all([makeFullCreator(), makeCreator(), makeDelivery()]);
  // With something to deliver, or there is no link to rotate.
  const { offering } = await makeDelivered(full, aFile(), {
    title: 'Averyveryverylongwordthatnobodywouldeverwriteinatitle',
  });
  world = { creator: { ...full, offeringId: offering.id, slug: offering.slug }, newcomer, delivery };
});

/** So few that a failure names the screens it is about. */
const share = 4;

for (const viewer of viewers) {
  const theirs = screens.filter((screen) => screen.viewer === viewer);
  for (let first = 0; first < theirs.length; first += share) {
    const some = theirs.slice(first, first + share);
    const names = some.map(({ name }) => name).join(', ');
    test(`axe finds nothing, nothing scrolls sideways and none looks like another: ${names}`, async ({
      page,
    }) => {
      await enter(page, viewer, world);
      for (const screen of some) {
        await show(page, screen, world);
        await judge(page, screen.name, screen.phone ? phone : undefined);
        await look(page, phone, 'light');
        distinct.add(screen.name, (await pictureOf(page, screen)).png);
      }
    });
  }
}
