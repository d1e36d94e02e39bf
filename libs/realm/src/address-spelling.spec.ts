import { plainAddress } from '@stoa/contracts';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { inAscii } from './address-spelling.ts';

/** The letters that the user profile of older releases allowed in a domain. */
const olderLetters =
  /^[a-z0-9\u00a1-\u1fff\u2c00-\u2fff\u3003-\ud7ff\uf900-\uff0d\uff10-\uff60\uff62-\uffdc]$/;

describe('a stored email address', () => {
  it('gets the spelling of the proxy, with every letter that older releases allowed', () => {
    const letters = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code)).filter(
      (letter) => olderLetters.test(letter),
    );
    expect(letters.length).toBeGreaterThan(40_000);
    const addresses = letters.flatMap((letter) => [
      `ann@${letter}.example`,
      `ann@a${letter}b.example`.toLowerCase(),
      `ann@xn--${letter}.example`,
    ]);
    const wrong = addresses.filter((address) => inAscii(address) !== plainAddress(address));
    expect(wrong).toEqual([]);
  });

  it.each(
    (
      JSON.parse(readFileSync(new URL('../../contracts/cases/emails.json', import.meta.url), 'utf8')) as {
        cases: { in: string; kept: string | null }[];
      }
    ).cases.flatMap(({ kept }) => kept ?? []),
  )('stays unchanged: %s', (kept) => {
    expect(inAscii(kept)).toBe(kept);
  });
});
