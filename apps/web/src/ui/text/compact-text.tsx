import { compactText } from '@stoa/contracts/simple-format';

/** A creator's text without its formatting and empty lines. */
export function CompactText({ text }: { text: string }) {
  return compactText(text);
}
