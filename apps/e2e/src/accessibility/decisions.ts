/** A decision of a person about a kind of finding that axe cannot decide. */
export interface Decision {
  readonly rule: string;
  /** Axe's name for why it cannot decide. */
  readonly reason: string;
  readonly selector: string;
  /** Whether the contrast that contrast.ts measures must be high enough. */
  readonly isMeasured?: boolean;
}

const contrast = (reason: string, selector: string): Decision => ({
  rule: 'color-contrast',
  reason,
  selector,
  isMeasured: true,
});

/** All decisions. Findings of other kinds or elements make the tests fail. */
export const decisions: readonly Decision[] = [
  // Elements that a sticky header, a dialog, a menu or the transparent link of a card covers in part.
  contrast('bgOverlap', '*'),
  contrast('elmPartiallyObscured', '*'),
  contrast('elmPartiallyObscuring', '*'),
  // Content scrolls behind the sticky header. The lowest contrast is on black or white content.
  contrast('imgNode', 'header *'),
  contrast('bgGradient', 'header *'),
  // The first section of the home page has a gradient from `sunk` to `paper`.
  contrast('bgGradient', 'main > section:first-child *'),
  // The arrow of a select field is a gradient beside the text.
  contrast('bgGradient', 'select'),
  // In a file field only the button has visible text.
  contrast('equalRatio', 'input[type=file]'),
  // A separator of one character between two texts.
  contrast('shortTextContent', 'p'),
  // The letter that replaces a missing picture. apps/web/src/ui/tokens.test.ts computes its contrast.
  { rule: 'color-contrast', reason: 'shortTextContent', selector: 'svg[role=img] > text' },
  // An empty field has no text whose contrast could matter.
  { rule: 'color-contrast', reason: 'emptyValue', selector: 'input, textarea' },
  // Keycloak writes `aria-invalid=""`, which means false.
  { rule: 'aria-valid-attr-value', reason: 'empty', selector: 'input[aria-invalid=""]' },
];
