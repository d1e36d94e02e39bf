const lookAlikeScripts = [
  ...['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu', 'Canadian_Aboriginal'],
].map((script) => new RegExp(String.raw`\p{Script=${script}}`, 'u'));

/** Whether a word mixes scripts with similar letters. */
export function mixesScripts(name: string): boolean {
  const spelt = name.split(/[^\p{L}\p{M}\p{N}]+/u);
  return spelt.some((word) => lookAlikeScripts.filter((script) => script.test(word)).length > 1);
}

/** The problem of a name that begins with a combining mark, which would attach to the letter before the name. */
export function leadingMarkProblem(name: string): string | undefined {
  const [mark] = /^\p{M}/u.exec(name) ?? [];
  if (mark === undefined) return undefined;
  const code = (mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `Begins with U+${code}, a mark that belongs behind a letter.`;
}
