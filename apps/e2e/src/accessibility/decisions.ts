/** A manual decision about one kind of finding that axe leaves open. */
export interface Decision {
  readonly rule: string;
  /** Axe's key for the reason. */
  readonly reason: string;
  /** The elements that the decision covers. */
  readonly selector: string;
  /** Whether the lowest contrast (contrast.ts) must be sufficient. */
  readonly isMeasured?: boolean;
}

const contrast = (reason: string, selector: string): Decision => ({
  rule: 'color-contrast',
  reason,
  selector,
  isMeasured: true,
});

/** All decisions. Another kind of finding, or another element, fails the tests. */
export const decisions: readonly Decision[] = [
  // Partly covered by the sticky header or save bar, a dialog, the menu, or the transparent link over a card.
  contrast('bgOverlap', '*'),
  contrast('elmPartiallyObscured', '*'),
  contrast('elmPartiallyObscuring', '*'),
  // Pictures and gradients scroll behind the sticky header. The worst ones are black or white.
  contrast('imgNode', 'header *'),
  contrast('bgGradient', 'header *'),
  // The top of the home page, from `sunk` to `paper`.
  contrast('bgGradient', 'main > section:first-child *'),
  // The arrow of a select field is a gradient beside the text.
  contrast('bgGradient', 'select'),
  // The text of a file field is transparent; its button has its own text.
  contrast('equalRatio', 'input[type=file]'),
  // A separator between two spans.
  contrast('shortTextContent', 'p'),
  // An initial instead of a picture. apps/web/src/ui/tokens.test.ts computes its contrast on all backgrounds.
  { rule: 'color-contrast', reason: 'shortTextContent', selector: 'svg[role=img] > text' },
  // An empty field has no text.
  { rule: 'color-contrast', reason: 'emptyValue', selector: 'input, textarea' },
  // Keycloak renders `aria-invalid=""`, which means false.
  { rule: 'aria-valid-attr-value', reason: 'empty', selector: 'input[aria-invalid=""]' },
];
