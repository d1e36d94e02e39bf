import { judge } from '../src/accessibility/judge.ts';
import { makeCreator, makeFullCreator } from '../src/creators.ts';
import { makeDelivery } from '../src/delivery.ts';
import { enter } from '../src/screens/enter.ts';
import { phone, show, viewers, type World } from '../src/screens/screen.ts';
import { screens } from '../src/screens/screens.ts';
import { test } from '../src/test.ts';

let world: World;

test.beforeAll(async () => {
  world = {
    creator: await makeFullCreator(),
    newcomer: await makeCreator(),
    delivery: await makeDelivery(),
  };
});

/** Enough for a worker to share the screens of one viewer with others, and not sign in for each. */
const share = 4;

for (const viewer of viewers) {
  const theirs = screens.filter((screen) => screen.viewer === viewer);
  for (let first = 0; first < theirs.length; first += share) {
    const some = theirs.slice(first, first + share);
    test(`axe finds nothing and nothing scrolls sideways: ${some.map(({ name }) => name).join(', ')}`, async ({
      page,
    }) => {
      test.setTimeout(240_000);
      await enter(page, viewer, world);
      for (const screen of some) {
        await show(page, screen, world);
        await judge(page, screen.name, screen.phone ? [phone] : undefined);
      }
    });
  }
}
