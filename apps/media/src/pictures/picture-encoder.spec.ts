import { Refusal } from '@stoa/messaging';
import sharp from 'sharp';
import { describe, expect, it } from '@jest/globals';
import * as sample from '../../test/sample-pictures.ts';
import { variantWidths } from './picture-decoding.ts';
import { PictureEncoder } from './picture-encoder.ts';

const widths = [320, 640, 960, 1280];
const encoder = new PictureEncoder();

function refusal(message: RegExp) {
  return expect.objectContaining({ code: 'unsupported_picture', message: expect.stringMatching(message) });
}

describe('variantWidths', () => {
  it.each([
    ['as large as the largest', { width: 4000, height: 3000 }, [320, 640, 960, 1280]],
    ['between two', { width: 1000, height: 700 }, [320, 640, 960, 1000]],
    ['one pixel wider than one of them', { width: 641, height: 400 }, [320, 640, 641]],
    ['one pixel narrower than the largest', { width: 1279, height: 800 }, [320, 640, 960, 1279]],
    ['a cover of 620 pixels', { width: 620, height: 414 }, [320, 620]],
    ['exactly one of them', { width: 640, height: 640 }, [320, 640]],
    ['smaller than the smallest', { width: 200, height: 100 }, [200]],
    ['a single pixel', { width: 1, height: 1 }, [1]],
    ['much taller than wide', { width: 1280, height: 5120 }, [320, 640]],
    ['taller than wide between two', { width: 1000, height: 5120 }, [320, 500]],
    ['a thread', { width: 1, height: 40_000 }, [1]],
  ])('of a picture that is %s', (_, size, expected) => {
    expect(variantWidths(size, widths)).toEqual(expected);
  });
});

describe('encoding', () => {
  it.each(['jpeg', 'png', 'webp', 'avif'] as const)('makes AVIF and WebP out of %s', async (format) => {
    const bytes = await sample.plain({ width: 700, height: 350 }).toFormat(format).toBuffer();
    const picture = await encoder.encode(bytes, { widths });
    expect(picture).toMatchObject({ widths: [320, 640, 700], width: 700, height: 350 });
    const made = picture.variants.map(async ({ width, format, bytes }) => {
      const { width: real, height, mediaType } = await sharp(bytes).metadata();
      return { width, real, height, format, mediaType };
    });
    expect(await Promise.all(made)).toEqual(
      [320, 640, 700].flatMap((width) =>
        ['avif', 'webp'].map((format) => ({
          width,
          real: width,
          height: width / 2,
          format,
          mediaType: `image/${format}`,
        })),
      ),
    );
  });

  it('returns the dominant colour', async () => {
    const { color } = await encoder.encode(
      await sample.plain({ width: 90, height: 90 }, '#3366cc').png().toBuffer(),
      { widths },
    );
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
    expect(Math.abs(red! - 0x33) + Math.abs(green! - 0x66) + Math.abs(blue! - 0xcc)).toBeLessThan(40);
  });

  it('keeps transparency', async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const bytes = await sharp({ create: { width: 50, height: 50, channels: 4, background: clear } })
      .png()
      .toBuffer();
    const { variants, color, isTransparent } = await encoder.encode(bytes, { widths });
    expect(isTransparent).toBe(true);
    expect(color).toMatch(/^#7[0-9a-f]7[0-9a-f]7[0-9a-f]$/);
    for (const { bytes } of variants) expect((await sharp(bytes).metadata()).hasAlpha).toBe(true);
  });

  it('accepts greyscale, 16-bit and CMYK pictures', async () => {
    const grey = await sample.plain({ width: 50, height: 40 }).greyscale().png().toBuffer();
    const deep = await sample.plain({ width: 50, height: 40 }).toColourspace('rgb16').png().toBuffer();
    const print = await sample.plain({ width: 50, height: 40 }).toColourspace('cmyk').jpeg().toBuffer();
    for (const bytes of [grey, deep, print]) {
      expect(await encoder.encode(bytes, { widths })).toMatchObject({ widths: [50], height: 40 });
    }
  });

  it('applies the EXIF rotation and strips all metadata', async () => {
    const bytes = await sample.rotatedPhotoWithGps();
    expect((await sharp(bytes).metadata()).orientation).toBe(6);
    const { variants, width, height } = await encoder.encode(bytes, { widths });
    expect({ width, height }).toEqual({ width: 400, height: 800 });
    for (const { bytes } of variants) {
      const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata();
      expect({ exif, xmp, iptc, icc, orientation }).toEqual({});
      expect(bytes.includes('GPS') || bytes.includes('Somebody')).toBe(false);
      const [red = 0, , blue = 0] = await sharp(bytes).raw().toBuffer();
      expect(red).toBeGreaterThan(blue);
    }
  });

  it('bounds the height of a very narrow picture', async () => {
    const { widths: kept, height } = await encoder.encode(
      await sample.plain({ width: 2, height: 16_000 }).png().toBuffer(),
      { widths },
    );
    expect(kept).toEqual([1]);
    expect(height).toBeLessThanOrEqual(2560);
  });
});

describe('a ratio', () => {
  // A picture with three stripes shows which part was cut off.
  const striped = async (width: number, height: number) => {
    const size = { width: Math.ceil(width / 3), height: Math.ceil(height / 3) };
    const stripes = ['#ff0000', '#00ff00', '#0000ff'].map(async (color, index) => ({
      input: await sample
        .plain(width > height ? { ...size, height } : { ...size, width }, color)
        .png()
        .toBuffer(),
      left: width > height ? index * size.width : 0,
      top: width > height ? 0 : index * size.height,
    }));
    const whole = {
      width: width > height ? size.width * 3 : width,
      height: width > height ? height : size.height * 3,
    };
    return sample
      .plain(whole)
      .composite(await Promise.all(stripes))
      .png()
      .toBuffer();
  };

  it.each([
    ['a tall one', 600, 900, [320, 600], 200],
    ['a wide one', 1800, 150, [320, 450], 150],
    ['one of that ratio', 1920, 640, [320, 640, 960, 1280], 427],
    ['a small one', 90, 120, [90], 30],
  ])('of %s is cut out of the middle [media-7]', async (_, width, height, kept, cut) => {
    const { variants, ...picture } = await encoder.encode(await striped(width, height), { widths, ratio: 3 });
    expect(picture).toMatchObject({ widths: kept, width: kept.at(-1), height: cut });
    const smallest = variants.find(({ format }) => format === 'webp')!;
    const { data, info } = await sharp(smallest.bytes).raw().toBuffer({ resolveWithObject: true });
    const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
    expect([...data.subarray(middle, middle + 3)].map((value) => Math.round(value / 255))).toEqual([0, 1, 0]);
  });
});

describe('refusing', () => {
  it.each([
    ['SVG', sample.svg],
    ['HTML', sample.html],
    ['nothing', Buffer.alloc(0)],
  ])('%s', async (_, bytes) => {
    await expect(encoder.encode(bytes, { widths })).rejects.toThrow(Refusal);
    await expect(encoder.encode(bytes, { widths })).rejects.toEqual(refusal(/JPEG, PNG, WebP or AVIF/));
  });

  it('GIF and TIFF, which sharp itself could read', async () => {
    for (const bytes of [await sample.gif(), await sample.plain({ width: 9, height: 9 }).tiff().toBuffer()]) {
      await expect(encoder.encode(bytes, { widths })).rejects.toEqual(refusal(/JPEG, PNG, WebP or AVIF/));
    }
  });

  it('a truncated JPEG', async () => {
    const whole = await sample.makePhoto({ width: 600, height: 400 });
    const half = whole.subarray(0, whole.length / 2);
    await expect(encoder.encode(half, { widths })).rejects.toEqual(refusal(/damaged/));
  });

  it('SVG behind the first bytes of a PNG [media-8]', async () => {
    const disguised = Buffer.concat([
      sample.pngDeclaring({ width: 9, height: 9 }).subarray(0, 33),
      sample.svg,
    ]);
    await expect(encoder.encode(disguised, { widths })).rejects.toEqual(refusal(/damaged|JPEG, PNG/));
  });

  // One second of CPU time is enough to start the process, but not to decode any of these pictures.
  it.each([
    ['more than 40 megapixels', { width: 30_000, height: 30_000 }, /at most 40 megapixels/],
    [
      'one column of 39 million pixels',
      { width: 1, height: 39_000_000 },
      /at most 16384 pixels on each side/,
    ],
    ['one row of them', { width: 39_000_000, height: 1 }, /at most 16384 pixels on each side/],
  ])('%s, before decoding', async (_, size, words) => {
    const quick = { memory: 1200, cpuSeconds: 2, milliseconds: 20_000 };
    const bomb = encoder.encode(sample.pngDeclaring(size), { widths }, quick);
    await expect(bomb).rejects.toEqual(refusal(words));
  });

  it('an AVIF of more than 24 megapixels', async () => {
    const large = await sample.plain({ width: 6000, height: 4001 }).avif({ effort: 0 }).toBuffer();
    await expect(encoder.encode(large, { widths })).rejects.toEqual(refusal(/at most 24 megapixels/));
  });

  it('an AVIF that understates its size', async () => {
    const bomb = await sample.avifDeclaring({ width: 3000, height: 3000 }, { width: 30, height: 30 });
    await expect(encoder.encode(bomb, { widths })).rejects.toEqual(refusal(/damaged/));
  });
});

describe('a picture over a limit', () => {
  const stopped = refusal(/too much time or memory/);
  const small = () => sample.plain({ width: 60, height: 60 }).png().toBuffer();

  it('of CPU time is stopped and refused, and others continue [media-9]', async () => {
    const large = await sample.plain({ width: 4000, height: 3000 }).jpeg().toBuffer();
    // The work takes many seconds on any machine; the limit is one second.
    const many = Array.from({ length: 200 }, (_, at) => 4000 - at);
    const bounds = { memory: 1200, cpuSeconds: 1, milliseconds: 60_000 };
    const [slow, quick] = await Promise.allSettled([
      encoder.encode(large, { widths: many }, bounds),
      encoder.encode(await small(), { widths }),
    ]);
    expect(slow).toMatchObject({ reason: stopped });
    expect(quick).toMatchObject({ value: { width: 60 } });
  });

  it('of scans is refused before decoding them', async () => {
    const bomb = await sample.jpegWithManyScans({ width: 6000, height: 6000 }, 400);
    expect(bomb.length).toBeLessThan(5 * 1024 * 1024);
    const bounds = { memory: 1200, cpuSeconds: 4, milliseconds: 60_000 };
    await expect(encoder.encode(bomb, { widths }, bounds)).rejects.toEqual(refusal(/damaged/));
  });

  it('of memory is refused, and the next one is encoded [media-10]', async () => {
    const deep = await sample.plain({ width: 5000, height: 4000 }).avif({ effort: 0 }).toBuffer();
    const bounds = { memory: 750, cpuSeconds: 15, milliseconds: 60_000 };
    await expect(encoder.encode(deep, { widths }, bounds)).rejects.toEqual(refusal(/damaged|too much/));
    await expect(encoder.encode(await small(), { widths })).resolves.toMatchObject({ width: 60 });
  });

  it('of time is stopped and may be retried, because the machine may be busy', async () => {
    const bounds = { memory: 1200, cpuSeconds: 15, milliseconds: 1 };
    await expect(encoder.encode(await small(), { widths }, bounds)).rejects.toMatchObject({
      code: 'timeout',
    });
  });

  it('is not refused when the encoder process does not start', async () => {
    const bounds = { memory: 1, cpuSeconds: 15, milliseconds: 60_000 };
    await expect(encoder.encode(await small(), { widths }, bounds)).rejects.toThrow(/did not start/);
  });
});
