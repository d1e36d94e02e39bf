import { creatorScreens } from './creator-screens.ts';
import { roomScreens } from './room-screens.ts';
import type { Screen } from './screen.ts';
import { sellerScreens } from './seller-screens.ts';
import { visitorScreens } from './visitor-screens.ts';

/** All routes of the product, each in its visibly different states. */
export const screens: readonly Screen[] = [
  ...visitorScreens,
  ...creatorScreens,
  ...sellerScreens,
  ...roomScreens,
];
