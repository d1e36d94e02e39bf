const lookAlikeScripts = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map(
  (script) => new RegExp(String.raw`\p{Script=${script}}`, 'u'),
);

/** Whether one word is spelt with letters of several scripts that share their shapes. */
export function mixesScripts(name: string): boolean {
  const spelt = name.split(/[^\p{L}\p{M}]+/u);
  return spelt.some((word) => lookAlikeScripts.filter((script) => script.test(word)).length > 1);
}

/** What says that a name begins with a mark, which would land on the letter before it. */
export function leadingMark(name: string): string | undefined {
  const [mark] = /^\p{M}/u.exec(name) ?? [];
  if (mark === undefined) return undefined;
  const code = (mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `Begins with U+${code}, a mark that belongs behind a letter.`;
}
