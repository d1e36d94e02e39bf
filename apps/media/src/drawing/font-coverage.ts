import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../fonts/', import.meta.url);

/** The Unicode code points for which the fonts of the cards contain a shape. */
export function readFontCoverage(): ReadonlySet<number> {
  const fonts = readdirSync(folder).filter((name) => name.endsWith('.ttf'));
  return new Set(fonts.flatMap((name) => charactersOf(readFileSync(new URL(name, folder)))));
}

/**
 * The code points of a TrueType font, from its table `cmap`. Unicode fonts use its formats 4 and 12:
 * https://learn.microsoft.com/typography/opentype/spec/cmap
 */
function charactersOf(font: Buffer): number[] {
  const cmap = tableOf(font, 'cmap');
  if (!cmap) return [];
  return Array.from({ length: cmap.readUInt16BE(2) }, (_, index) => {
    const subtable = cmap.subarray(cmap.readUInt32BE(8 + 8 * index));
    const format = subtable.readUInt16BE(0);
    if (format === 4) return charactersOfSegments(subtable);
    return format === 12 ? charactersOfGroups(subtable) : [];
  }).flat();
}

function tableOf(font: Buffer, name: string): Buffer | undefined {
  for (let table = 0; table < font.readUInt16BE(4); table += 1) {
    const record = 12 + 16 * table;
    if (font.toString('latin1', record, record + 4) === name)
      return font.subarray(font.readUInt32BE(record + 8));
  }
  return undefined;
}

function charactersOfSegments(table: Buffer): number[] {
  const size = table.readUInt16BE(6);
  const [ends, starts, deltas, offsets] = [14, 16 + size, 16 + 2 * size, 16 + 3 * size];
  const characters: number[] = [];
  for (let segment = 0; segment < size; segment += 2) {
    const [start, end] = [table.readUInt16BE(starts + segment), table.readUInt16BE(ends + segment)];
    const offset = table.readUInt16BE(offsets + segment);
    for (let character = start; character <= end && character < 0xffff; character += 1) {
      const place = offsets + segment + offset + 2 * (character - start);
      const glyph = offset === 0 ? character : table.readUInt16BE(place);
      // Glyph 0 is the shape for missing characters, so its code points do not count.
      const isThere = glyph !== 0 || offset === 0;
      if (isThere && ((glyph + table.readUInt16BE(deltas + segment)) & 0xffff) !== 0)
        characters.push(character);
    }
  }
  return characters;
}

function charactersOfGroups(table: Buffer): number[] {
  const characters: number[] = [];
  for (let group = 0; group < table.readUInt32BE(12); group += 1) {
    const [start, end, glyph] = [0, 4, 8].map((at) => table.readUInt32BE(16 + 12 * group + at));
    for (let character = start ?? 0; character <= (end ?? -1); character += 1)
      if ((glyph ?? 0) + character - (start ?? 0) !== 0) characters.push(character);
  }
  return characters;
}
