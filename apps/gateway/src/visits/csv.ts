// Spreadsheets also run formulas after invisible characters. NFKC turns the wide and small signs of East Asian keyboards
// into the plain ones.
const blank = String.raw`[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*`;
const formula = new RegExp(String.raw`^(?:${blank}[=+\-@]|[\t\r\n])`, 'u');

/**
 * Quotes a cell, and adds `'` before text that a spreadsheet would run as a formula. Where Excel separates cells by `;`,
 * quotes inside a line do not protect a `;`, so the text after it counts too.
 */
function cell(value: string | number): string {
  const text = String(value);
  const plain = typeof value === 'string' ? text.split(';').map(withoutFormula).join(';') : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

const withoutFormula = (text: string) => (formula.test(text.normalize('NFKC')) ? `'${text}` : text);

/** Excel reads a file as UTF-8 only if it begins with a byte order mark. */
const byteOrderMark = '\ufeff';

/**
 * Formats rows as CSV (RFC 4180), with the names of the columns first. It uses commas, because the server does not know the
 * reader's locale. Where Excel expects `;`, it can import the file by "From Text/CSV".
 */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  byteOrderMark + rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
