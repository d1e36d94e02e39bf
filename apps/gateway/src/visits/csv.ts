/** Quotes a cell, and prefixes text that a spreadsheet would run as a formula. */
function cell(value: string | number): string {
  const text = String(value);
  // Spreadsheets also run formulas after spaces, and with the fullwidth signs of East Asian keyboards.
  const plain =
    typeof value === 'string' && /^[\s\p{Cf}]*[=+\-@＝＋－＠\t\r\n]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Excel reads a file as UTF-8 only with this mark. */
const byteOrderMark = '\ufeff';

/**
 * Rows as CSV (RFC 4180). The first row contains the names of the columns. The separator is a comma, since the server does not
 * know the locale of the reader. With a first line `sep=,` Excel would ignore the byte order mark. In locales with the separator
 * `;`, Data > From Text/CSV reads the columns.
 */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  byteOrderMark + rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
