/** Quotes a cell, and adds `'` before text that a spreadsheet would run as a formula. */
function cell(value: string | number): string {
  const text = String(value);
  // Spreadsheets also run formulas after spaces, and with the fullwidth signs of East Asian keyboards.
  const plain =
    typeof value === 'string' && /^[\s\p{Cf}]*[=+\-@＝＋－＠\t\r\n]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Excel reads a file as UTF-8 only if it begins with a byte order mark. */
const byteOrderMark = '\ufeff';

/**
 * Formats rows as CSV (RFC 4180), with the names of the columns first. It uses commas, because the server does not know the
 * reader's locale. Where Excel expects `;`, it can import the file by "From Text/CSV".
 */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  byteOrderMark + rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
