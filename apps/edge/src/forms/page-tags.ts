/** A start tag of a page of Keycloak. */
export interface PageTag {
  /** In lowercase. */
  readonly name: string;
  /** Unescaped values by lowercase name. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** A new value for an attribute that the tag has. */
export interface ChangedAttribute {
  readonly attribute: string;
  readonly value: string;
}

const attribute = /(?:[\s/]+|(?<=["']))([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
// Matches comments and text-only elements as a whole, and quoted values as part of their tag. So no value that a visitor has
// chosen is read as a tag or as another attribute.
const part =
  /<!--[^]*?(?:-->|$)|<(script|style|textarea|title)\b[^]*?(?:<\/\1\s*>|$)|<([a-z][^\s/>]*)((?:(?:[\s/]+|(?<=["']))[^\s=>"'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)[\s/]*>/gi;

/** The start tags of a page, in order. */
export function tagsOf(html: string): PageTag[] {
  return [...html.matchAll(part)].flatMap(([, , name, written]) =>
    name === undefined ? [] : [readTag(name, written)],
  );
}

/** The page with the attributes changed that `change` returns. */
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
    // Browsers use the first of two attributes with one name.
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
