/** The number of bytes that identify a picture type. An AVIF lists its brands within them. */
const headerBytes = 64;

type PictureType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/avif' | 'image/heic';

/**
 * Detects the picture type from the first bytes, whatever the name and type claim; undefined for other files.
 */
export async function pictureTypeOf(file: Blob): Promise<PictureType | undefined> {
  const bytes = new Uint8Array(await file.slice(0, headerBytes).arrayBuffer());
  const text = String.fromCharCode(...bytes);
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp';
  if (text.slice(4, 8) !== 'ftyp') return undefined;
  // The brands. Some AVIF files also list brands of HEIC.
  const brands = text.slice(8).match(/.{4}/gs) ?? [];
  if (brands.some((brand) => /^avi[fs]$/.test(brand))) return 'image/avif';
  return brands.some((brand) => /^(?:he[iv][cfsmx]|mif1|msf1)$/.test(brand)) ? 'image/heic' : undefined;
}
