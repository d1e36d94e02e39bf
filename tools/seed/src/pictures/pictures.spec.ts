import { Niche, uploadBytes } from '@stoa/contracts';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { creators } from '../data/creators.ts';
import { coverSvg } from './cover.ts';
import { portraitSvg } from './portrait.ts';
import { randomFrom } from './random.ts';
import { render } from './render.ts';

const covers = creators.flatMap(({ username, niches, offerings }) =>
  offerings.map(({ title }, index) => coverSvg(username, niches, title, index)),
);

describe('random numbers from a name', () => {
  it('are the same for the same name and others for another', () => {
    const draw = (name: string) => Array.from({ length: 5 }, () => randomFrom(name).between(0, 1));
    expect(draw('a')).toEqual(draw('a'));
    expect(draw('a')).not.toEqual(draw('b'));
  });

  it('stay within their bounds', () => {
    const random = randomFrom('bounds');
    const drawn = Array.from({ length: 1000 }, () => random.whole(2, 4));
    expect([...new Set(drawn)].toSorted()).toEqual([2, 3, 4]);
  });
});

describe('covers', () => {
  it('all differ', () => {
    expect(new Set(covers).size).toBe(covers.length);
  });

  it('hold only numbers that can be drawn', () => {
    for (const svg of covers) expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it.each(Niche.options)('of a %s are the same bytes each time, within the limit', async (niche) => {
    const twice = await Promise.all(
      [1, 2].map(() => render(coverSvg('somebody', [niche], 'A title', 0), 'a-title', 1500)),
    );
    expect(twice[0]!.bytes.equals(twice[1]!.bytes)).toBe(true);
    expect(twice[0]!.bytes.length).toBeLessThan(uploadBytes['offering-cover']);
    expect(await sharp(twice[0]!.bytes).metadata()).toMatchObject({ width: 1500, height: 1000 });
  });
});

describe('portraits', () => {
  it('differ, are drawn without gaps and within the limit', async () => {
    const drawn = creators.flatMap(({ username, portrait }) =>
      portrait ? [portraitSvg(username, portrait)] : [],
    );
    expect(new Set(drawn).size).toBe(drawn.length);
    for (const svg of drawn) expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    const { bytes } = await render(drawn[0]!, 'somebody', 960);
    expect(bytes.length).toBeLessThan(uploadBytes['profile-picture']);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 960, height: 960 });
  });
});
