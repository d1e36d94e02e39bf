/** A cell that a spreadsheet reads as text, whatever it begins with, and as one cell, whatever is in it. */
function cell(value: string | number): string {
  const text = String(value);
  // A spreadsheet runs what begins like this as a formula.
  const plain = typeof value === 'string' && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Rows as CSV (RFC 4180), the first one being the names of the columns. */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
