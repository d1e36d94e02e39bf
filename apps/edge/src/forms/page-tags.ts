export interface PageTag {
  readonly name: string;
  /** Values without HTML escapes, by attribute name in lower case. */
  readonly attributes: ReadonlyMap<string, string>;
}

export interface ChangedAttribute {
  readonly attribute: string;
  readonly value: string;
}

const attribute = /(?:[\s/]+|(?<=["']))([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
// Matches each comment, text-only element and quoted value as a whole, so that text which a visitor has typed is never read
// as a tag.
const part =
  /<!--[^]*?(?:-->|$)|<(script|style|textarea|title)\b[^]*?(?:<\/\1\s*>|$)|<([a-z][^\s/>]*)((?:(?:[\s/]+|(?<=["']))[^\s=>"'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)[\s/]*>/gi;

export function tagsOf(html: string): PageTag[] {
  return [...html.matchAll(part)].flatMap(([, , name, written]) =>
    name === undefined ? [] : [readTag(name, written)],
  );
}

/** Returns the page with the attributes changed that `change` returns. */
export function changeTags(html: string, change: (tag: PageTag) => ChangedAttribute | undefined): string {
  return html.replaceAll(part, (whole: string, _: string, name?: string, written?: string) => {
    const changed = name === undefined ? undefined : change(readTag(name, written));
    if (!changed) return whole;
    let isDone = false;
    return whole.replaceAll(attribute, (pair: string, given: string) => {
      if (isDone || given.toLowerCase() !== changed.attribute) return pair;
      isDone = true;
      return ` ${given}="${escaped(changed.value)}"`;
    });
  });
}

function readTag(name: string, written = ''): PageTag {
  const attributes = new Map<string, string>();
  for (const [, given = '', ...values] of written.matchAll(attribute)) {
    const key = given.toLowerCase();
    // If a tag has an attribute twice, browsers use the first one.
    if (!attributes.has(key))
      attributes.set(key, unescaped(values.find((value) => value !== undefined) ?? ''));
  }
  return { name: name.toLowerCase(), attributes };
}

const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const names = new Map(Object.entries(signs).map(([name, sign]) => [sign, name]));
const unescaped = (text: string) =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => signs[name] ?? '');
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => `&${names.get(sign)};`);
