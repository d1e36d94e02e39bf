import { calls } from './spec-lines/calls.ts';
import { constants } from './spec-lines/constants.ts';
import { creatorScreens } from './spec-lines/creator-screens.ts';
import { decisions } from './spec-lines/decisions.ts';
import { entities, transitions } from './spec-lines/entities.ts';
import { errors } from './spec-lines/errors.ts';
import { layout } from './spec-lines/layout.ts';
import { product } from './spec-lines/product.ts';
import { publicScreens } from './spec-lines/public-screens.ts';
import { permissions, validation } from './spec-lines/rules.ts';

/**
 * All lines of the product specification with a visible effect, word for word. Each has exactly one row: a browser test that
 * creates its state. `docs/evidence/spec-coverage.md` is generated from both.
 */
export const chapters = [
  ['1. What the product does and for whom', product],
  ['2. Screens and routes: layout, still pages, guard', layout],
  ['2. Screens and routes: creators as visitors see them', publicScreens],
  ["2. Screens and routes: the creator's rooms", creatorScreens],
  ['3. Entities and their fields', entities],
  ['4. States and transitions', transitions],
  ['5. Validation rules', validation],
  ['6. Roles and permissions', permissions],
  ['7. The calls it makes', calls],
  ['8. Error catalogue', errors],
  ['9. Business constants and limits', constants],
  ['Decided where the spec leaves it open', decisions],
] as const;

type KeysOf<T> = T extends unknown ? keyof T : never;
export type LineId = KeysOf<(typeof chapters)[number][1]>;

/** The text of each line, by its id. */
export const lines = Object.assign({}, ...chapters.map(([, words]) => words)) as Record<LineId, string>;
