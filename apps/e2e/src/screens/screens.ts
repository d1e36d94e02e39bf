import { creatorScreens } from './creator-screens.ts';
import type { Screen } from './screen.ts';
import { visitorScreens } from './visitor-screens.ts';

/** Every route of the product, and the states of each that look different. */
export const screens: readonly Screen[] = [...visitorScreens, ...creatorScreens];
