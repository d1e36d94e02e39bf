/** Text that is already escaped and can be inserted into HTML. */
export class Html {
  constructor(readonly text: string) {}
}

/** A template tag for HTML. It escapes every value that is not of type Html. */
export function html(parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  const escaped = values.map((value) => {
    if (Array.isArray(value)) return value.map(({ text }) => text).join('');
    return value instanceof Html ? value.text : escapeHtml(value);
  });
  return new Html(parts.reduce((text, part, index) => text + (escaped[index - 1] ?? '') + part));
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** JSON for a script element. It escapes `<`, so that no value can close the element. */
export function scriptJson(value: object): Html {
  return new Html(JSON.stringify(value).replaceAll('<', '\\u003c'));
}
