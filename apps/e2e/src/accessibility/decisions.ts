/** What people have decided of one kind of finding that axe leaves open. */
export interface Decision {
  readonly rule: string;
  /** axe's key of why it cannot tell. */
  readonly reason: string;
  /** The elements of which this is decided. */
  readonly selector: string;
  /** Decided by the contrast that each has at worst (contrast.ts), which must be enough. */
  readonly isMeasured?: boolean;
}

const contrast = (reason: string, selector: string): Decision => ({
  rule: 'color-contrast',
  reason,
  selector,
  isMeasured: true,
});

/** All that is decided. A finding of another kind, or on another element, fails the tests. */
export const decisions: readonly Decision[] = [
  // Covered in part by the sticky header or save bar, a dialog, the menu, or the transparent link over the whole of a card.
  contrast('bgOverlap', '*'),
  contrast('elmPartiallyObscured', '*'),
  contrast('elmPartiallyObscuring', '*'),
  // The sticky header, behind which pictures and gradients pass: at worst black or white ones.
  contrast('imgNode', 'header *'),
  contrast('bgGradient', 'header *'),
  // The top of the home page, from `sunk` to `paper`.
  contrast('bgGradient', 'main > section:first-child *'),
  // The arrow of a select field is a gradient beside its text.
  contrast('bgGradient', 'select'),
  // The words of a file field are transparent, its button has text of its own.
  contrast('equalRatio', 'input[type=file]'),
  // A separator between two spans.
  contrast('shortTextContent', 'p'),
  // An initial in place of a picture; apps/web/src/ui/tokens.test.ts computes its contrast on each of its grounds.
  { rule: 'color-contrast', reason: 'shortTextContent', selector: 'svg[role=img] > text' },
  // Nothing to read yet.
  { rule: 'color-contrast', reason: 'emptyValue', selector: 'input, textarea' },
  // While a dialog is open Radix hides the page behind it, around a live region in its midst, and keeps the focus inside by
  // a guard at either end.
  {
    rule: 'aria-hidden-focus',
    reason: 'focusable-modal-open',
    selector:
      'body:has([role=alertdialog], [role=dialog]) :is([data-aria-hidden=true], [data-radix-focus-guard])',
  },
  // Keycloak's fields say `aria-invalid=""`, which means false.
  { rule: 'aria-valid-attr-value', reason: 'empty', selector: 'input[aria-invalid=""]' },
];
