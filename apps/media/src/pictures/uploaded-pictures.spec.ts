import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from '@jest/globals';
import { plain } from '../../test/sample-pictures.ts';
import { encodePicture, type EncodedPicture, UnsupportedPicture } from './picture-decoding.ts';

const widths = [128, 192, 320, 640, 960, 1280];
const encode = (bytes: Buffer) => encodePicture({ bytes, widths, formats: ['webp'] });
const sample = (name: string) => readFile(new URL(`../../test/pictures/${name}`, import.meta.url));
const noisy = () =>
  sharp({
    create: {
      ...{ width: 300, height: 200, channels: 3, background: '#808080' },
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });

const names = { red: [221, 30, 31], blue: [40, 60, 210], green: [40, 150, 60], yellow: [242, 210, 41] };

/** Names the colour in each corner of the largest variant: the nearest of four colours. */
async function cornersOf({ variants }: EncodedPicture): Promise<string[]> {
  const bytes = variants.at(-1)?.bytes ?? Buffer.alloc(0);
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const [right, below] = [width - 5, height - 5];
  return [
    [5, 5],
    [right, 5],
    [5, below],
    [right, below],
  ].map(([x = 0, y = 0]) => {
    const pixel = data.subarray((y * width + x) * 3);
    const far = (color: number[]) =>
      color.reduce((sum, value, index) => sum + Math.abs(value - (pixel[index] ?? 0)), 0);
    return Object.entries(names).toSorted(([, a], [, b]) => far(a) - far(b))[0]?.[0] ?? '';
  });
}

describe('an uploaded picture keeps its detail', () => {
  it.each([
    ['a cover of 620 pixels', { width: 620, height: 414 }, undefined, [128, 192, 320, 620]],
    ['a picture of 1199 pixels', { width: 1199, height: 400 }, undefined, [128, 192, 320, 640, 960, 1199]],
    ['a picture of 3000 pixels', { width: 3000, height: 1000 }, undefined, widths],
    ['one that is cut to a banner', { width: 700, height: 500 }, 3, [128, 192, 320, 640, 700]],
  ])('%s', async (_, size, ratio, kept) => {
    const bytes = await plain(size).png().toBuffer();
    const picture = await encodePicture({ bytes, widths, formats: ['webp'], ...(ratio && { ratio }) });
    expect(picture.widths).toEqual(kept);
    expect(picture.width).toBe(kept.at(-1));
    const made = await Promise.all(picture.variants.map(({ bytes }) => sharp(bytes).metadata()));
    expect(made.map(({ width }) => width)).toEqual(kept);
    expect(made.at(-1)?.height).toBe(picture.height);
  });

  it('a cover with text at 620 pixels [media-11]', async () => {
    expect(await encode(await sample('cover-620x414.png'))).toMatchObject({ width: 620, height: 414 });
  });

  it.each(['white', 'black'])('a transparent %s logo stays transparent, and is marked so', async (ink) => {
    const { variants, isTransparent } = await encode(await sample(`${ink}-logo-on-nothing.png`));
    expect(isTransparent).toBe(true);
    const { channels } = await sharp(variants.at(-1)?.bytes).stats();
    expect(channels[3]).toMatchObject({ min: 0, max: 255 });
  });
});

describe('an uploaded picture is decoded as browsers show it', () => {
  it.each([
    ['cmyk.jpg', ['red', 'green', 'blue', 'yellow']],
    ['sixteen-bits.png', ['red', 'green', 'blue', 'yellow']],
    ['orientation-5.jpg', ['red', 'blue', 'green', 'yellow']],
    ['photo-without-an-ending', ['red', 'green', 'blue', 'yellow']],
    ['photo-without-end-marker.jpg', ['red', 'green', 'blue', 'yellow']],
  ])('%s', async (name, corners) => {
    expect(await cornersOf(await encode(await sample(name)))).toEqual(corners);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('a JPEG of the orientation %i, upright', async (orientation) => {
    const turned = await sharp(await sample('photo-without-an-ending'))
      .keepMetadata()
      .withMetadata({ orientation })
      .jpeg()
      .toBuffer();
    const upright = await sharp(turned).autoOrient().png().toBuffer();
    const [shown, expected] = [await encode(turned), await encode(upright)];
    expect(await cornersOf(shown)).toEqual(await cornersOf(expected));
    expect(shown).toMatchObject({ width: expected.width, height: expected.height });
  });

  it.each(['avif', 'avis', 'mif1', 'msf1'])(
    'the first picture of an animated AVIF of the brand %s',
    async (brand) => {
      const bytes = await sample('animated.avif');
      bytes.write(brand, 8, 'latin1');
      const picture = await encode(bytes);
      expect(picture).toMatchObject({ width: 64, height: 48 });
      expect(await cornersOf(picture)).toEqual(['red', 'red', 'red', 'red']);
    },
  );

  it.each([false, true])(
    'a JPEG without its end marker (progressive: %s) [media-12]',
    async (progressive) => {
      const bytes = await noisy().jpeg({ progressive }).toBuffer();
      for (const missing of [1, 2])
        expect(await encode(bytes.subarray(0, -missing))).toMatchObject({ width: 300, height: 200 });
    },
  );

  it.each([false, true])('a JPEG without its end marker, padded (progressive: %s)', async (progressive) => {
    const bytes = await noisy().jpeg({ progressive }).toBuffer();
    for (const missing of [1, 2])
      for (const padding of [Buffer.alloc(1), Buffer.alloc(512), Buffer.alloc(99, 0xff)])
        expect(await encode(Buffer.concat([bytes.subarray(0, -missing), padding]))).toMatchObject({
          width: 300,
          height: 200,
        });
  });

  it('bytes behind the end', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
      const bytes = Buffer.concat([await noisy().toFormat(format).toBuffer(), Buffer.alloc(99, 'x')]);
      expect(await encode(bytes)).toMatchObject({ width: 300, height: 200 });
    }
  });

  it.each([1, 4, 8, 11, 12])('a PNG without its last %i bytes, which are its end marker', async (missing) => {
    for (const options of [{}, { palette: true }, { progressive: true }]) {
      const bytes = await noisy().png(options).toBuffer();
      expect(await encode(bytes.subarray(0, -missing))).toEqual(await encode(bytes));
    }
  });

  it('a PNG without its last chunk, of a palette, interlaced, and grey with transparency', async () => {
    const png = await noisy().png().toBuffer();
    for (const bytes of [
      png.subarray(0, -12),
      await noisy().png({ palette: true }).toBuffer(),
      await noisy().png({ progressive: true }).toBuffer(),
      await noisy().greyscale().ensureAlpha(0.5).png().toBuffer(),
    ])
      expect(await encode(bytes)).toMatchObject({ width: 300, height: 200 });
  });
});

describe('an uploaded picture is refused with the reason', () => {
  it.each(['jpeg', 'progressive', 'png', 'webp', 'avif'])('a truncated %s', async (kind) => {
    const format = kind === 'progressive' ? 'jpeg' : (kind as 'jpeg' | 'png' | 'webp' | 'avif');
    const progressive = kind === 'progressive';
    const whole = noisy().toFormat(format, format === 'avif' || format === 'webp' ? {} : { progressive });
    const bytes = await whole.toBuffer();
    for (const length of [0.1, 0.5, 0.9].map((part) => Math.floor(bytes.length * part))) {
      const refused = encode(bytes.subarray(0, length));
      await expect(refused).rejects.toThrow(UnsupportedPicture);
      await expect(refused).rejects.toThrow(/damaged or cut off/);
    }
  });

  it('a PNG with truncated pixel data', async () => {
    const bytes = await noisy().png().toBuffer();
    const data = bytes.indexOf('IDAT');
    const halved = Buffer.concat([bytes.subarray(0, data + 4), bytes.subarray(data + 4, bytes.length / 2)]);
    // Cuts off the end marker (12 bytes) and parts of the checksum before it (4 bytes), or more.
    const cut = [-13, -16, -17, -40, data - 4].map((end) => bytes.subarray(0, end));
    for (const part of [...cut, halved]) await expect(encode(part)).rejects.toThrow(/damaged or cut off/);
  });

  it('HEIC with a JPEG name, and a GIF', async () => {
    const gif = await noisy().gif().toBuffer();
    for (const bytes of [await sample('heic-called.jpg'), gif])
      await expect(encode(bytes)).rejects.toThrow('Choose a JPEG, PNG, WebP or AVIF picture.');
  });
});
