import { creatorScreens } from './creator-screens.ts';
import { roomScreens } from './room-screens.ts';
import type { Screen } from './screen.ts';
import { sellerScreens } from './seller-screens.ts';
import { visitorScreens } from './visitor-screens.ts';

/** Every route of the product, and the states of each that look different. */
export const screens: readonly Screen[] = [
  ...visitorScreens,
  ...creatorScreens,
  ...sellerScreens,
  ...roomScreens,
];
