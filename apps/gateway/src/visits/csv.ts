/** A cell that a spreadsheet reads as text, whatever it begins with, and as one cell, whatever is in it. */
function cell(value: string | number): string {
  const text = String(value);
  // A spreadsheet runs what begins like this as a formula, behind blanks and in the wide signs of East Asian keyboards too.
  const plain =
    typeof value === 'string' && /^[\s\p{Cf}]*[=+\-@＝＋－＠\t\r\n]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Excel reads a file as UTF-8 only when it begins with this. */
const byteOrderMark = '\ufeff';

/** Rows as CSV (RFC 4180), the first one being the names of the columns. */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  byteOrderMark + rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
