import { limits } from '@stoa/contracts/limits';
import { CharacterCount } from '../../forms/character-count.tsx';

export function MessageLength({ text }: { text: string }) {
  return <CharacterCount text={text} max={limits.messageLength} />;
}
