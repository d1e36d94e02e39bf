import { limits } from '@stoa/contracts/limits';
import { CharacterCount } from '../../forms/character-count.tsx';
import { isTooLong } from '../../forms/is-too-long.ts';

/** The message about a text that is too long, in the contract's words. */
export function refused(text: string): string | undefined {
  const max = limits.reportLength;
  return isTooLong(text.trim(), max) ? `Must be at most ${max} characters.` : undefined;
}

export function ReportLength({ text }: { text: string }) {
  return <CharacterCount text={text} max={limits.reportLength} />;
}
