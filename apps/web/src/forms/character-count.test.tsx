import { limits } from '@stoa/contracts/limits';
import { ProfileForm } from '@stoa/contracts';
import { render } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { CharacterCount } from './character-count.tsx';
import { isTooLong } from './is-too-long.ts';

const counted = (text: string) => render(<CharacterCount text={text} max={5} />).container.textContent;

test.each([
  ['invisible characters', 'ab\u200b\u00ad\ue000c', '3 / 5 characters'],
  ['surrounding spaces', '  abc \n', '3 / 5 characters'],
  ['a Windows line break', 'a\r\nb', '3 / 5 characters'],
  ['a family emoji', '👨‍👩‍👧', '1 / 5 characters'],
])('%s count as they are stored', (_, text, words) => expect(counted(text)).toBe(words));

test("the form's length limit equals the server's", () => {
  const { bio } = ProfileForm.shape;
  for (const text of [
    'x'.repeat(limits.bioLength),
    `${'x'.repeat(limits.bioLength)}\u200b `,
    'x'.repeat(limits.bioLength + 1),
  ]) {
    expect(isTooLong(text, limits.bioLength)).toBe(!bio.safeParse(text).success);
  }
});
