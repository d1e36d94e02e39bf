export interface Form {
  action: string;
  hidden: Record<string, string>;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name] ?? whole;
  });
}

function attributesOf(tag: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name, double, single, bare] of tag.matchAll(
    /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g,
  )) {
    if (name) attributes[name.toLowerCase()] = decodeEntities(double ?? single ?? bare ?? '');
  }
  return attributes;
}

export function findForm(html: string, id: string): Form | undefined {
  for (const [, tag = '', body = ''] of html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)) {
    const form = attributesOf(tag);
    if (form['id'] !== id || !form['action']) continue;
    const hidden: Record<string, string> = {};
    for (const [, input = ''] of body.matchAll(/<input\b([^>]*)>/gi)) {
      const { type, name, value } = attributesOf(input);
      if (type === 'hidden' && name) hidden[name] = value ?? '';
    }
    return { action: form['action'], hidden };
  }
  return undefined;
}

/** The error messages of a page. Every message of the theme has this class. */
export function errorsOf(html: string): string[] {
  const found = html.matchAll(/class="[^"]*kc-feedback-text[^"]*"[^>]*>([^<]*)</g);
  const messages = [...found].map(([, text = '']) => decodeEntities(text).trim()).filter(Boolean);
  if (messages.length > 0) return messages;
  const instruction = /class="instruction">([^<]*)</.exec(html)?.[1];
  return [instruction ? decodeEntities(instruction).trim() : 'no message on the page'];
}
