/** As many bytes as tell the type of a picture: an AVIF lists its brands there. */
const mostBytes = 64;

type PictureType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/avif' | 'image/heic';

/** What a file is by its first bytes, whatever its name and its type; undefined for what is none of these pictures. */
export async function pictureTypeOf(file: Blob): Promise<PictureType | undefined> {
  const bytes = new Uint8Array(await file.slice(0, mostBytes).arrayBuffer());
  const text = String.fromCharCode(...bytes);
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp';
  if (text.slice(4, 8) !== 'ftyp') return undefined;
  // Its brands; of those of HEIC an AVIF names some as well.
  const brands = text.slice(8).match(/.{4}/gs) ?? [];
  if (brands.some((brand) => /^avi[fs]$/.test(brand))) return 'image/avif';
  return brands.some((brand) => /^(?:he[iv][cfsmx]|mif1|msf1)$/.test(brand)) ? 'image/heic' : undefined;
}
