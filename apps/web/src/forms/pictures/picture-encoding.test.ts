import { beforeEach, expect, jest, test } from '@jest/globals';
import { workingSize } from './picture-decoding.ts';
import { encodeCrop, fileOf } from './picture-encoding.ts';

interface Drawn {
  width: number;
  height: number;
  type: string;
  quality: number;
}

const drawn: Drawn[] = [];
const filled = jest.fn<() => void>();
const picture = { width: 4000, height: 4000 } as ImageBitmap;
const area = { x: 0, y: 0, width: 3000, height: 1500 };

/** A canvas whose encoded files have this many bytes per pixel at the best quality. */
function canvasOf(bytesPerPixel: number, types = ['image/webp', 'image/jpeg', 'image/png']) {
  drawn.length = 0;
  jest.spyOn(document, 'createElement').mockImplementation(
    () =>
      ({
        width: 0,
        height: 0,
        getContext: () => ({ drawImage: () => undefined, fillRect: filled }),
        toBlob(this: Drawn, give: (blob: Blob) => void, wanted: string, quality: number) {
          const type = types.includes(wanted) ? wanted : 'image/png';
          drawn.push({ width: this.width, height: this.height, type, quality });
          give({ type, size: this.width * this.height * bytesPerPixel * quality } as Blob);
        },
      }) as unknown as HTMLElement,
  );
}

beforeEach(() => {
  filled.mockReset();
});

test('a picture is bounded, keeps its shape and gets the best possible quality', async () => {
  canvasOf(0.1);
  const blob = await encodeCrop(picture, area, 2_000_000);
  expect(blob.type).toBe('image/webp');
  expect(drawn).toEqual([{ width: 2560, height: 1280, type: 'image/webp', quality: 0.9 }]);
});

test('a small picture is not enlarged', async () => {
  canvasOf(0.1);
  await encodeCrop(picture, { ...area, width: 90, height: 45 }, 2_000_000);
  expect(drawn[0]).toMatchObject({ width: 90, height: 45 });
});

test('quality is reduced first, then pixels, until the file is under the limit', async () => {
  canvasOf(1);
  const blob = await encodeCrop(picture, area, 1_000_000);
  expect(blob.size).toBeLessThan(1_000_000);
  expect(drawn.slice(0, 4).map(({ quality }) => quality)).toEqual([0.9, 0.8, 0.7, 0.6]);
  const { width, height } = drawn.at(-1)!;
  expect(width).toBeLessThan(2560);
  expect(width / height).toBeCloseTo(2, 1);
});

test('a browser that cannot write WebP writes a JPEG on a plain background', async () => {
  canvasOf(0.1, ['image/jpeg']);
  const blob = await encodeCrop(picture, area, 2_000_000);
  expect(blob.type).toBe('image/jpeg');
  expect(filled).toHaveBeenCalled();
});

test('the file keeps the chosen name, with the extension of its new type', () => {
  const named = (name: string) => fileOf(new Blob([], { type: 'image/webp' }), new File([], name)).name;
  expect([named('IMG.1.HEIC'), named('photo'), named('.jpg')]).toEqual([
    'IMG.1.webp',
    'photo.webp',
    'picture.webp',
  ]);
});

test('a 48-megapixel photo is edited at 12 megapixels, a small one at its own [web-90]', () => {
  const { width, height } = workingSize({ width: 8064, height: 6048 });
  expect(width * height).toBeLessThan(12_100_000);
  expect(width / height).toBeCloseTo(8064 / 6048, 2);
  expect(workingSize({ width: 300, height: 200 })).toEqual({ width: 300, height: 200 });
});
