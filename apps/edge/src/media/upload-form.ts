import type { IncomingMessage } from 'node:http';

/** Maximum bytes of the fields before the file. The upload policy needs about 600, its signature 100. */
const mostBytes = 16_384;
const boundaryOf = /^multipart\/form-data; ?boundary=("?)([\w'()+,./:=?-]{1,70})\1$/i;
/** The header of a form field as browsers, curl and Node write it. Other forms are refused, because parsers may disagree. */
const fieldHead = /^content-disposition: form-data; name="([\w-]+)"(?:\r\ncontent-type: [^\r\n]*)?$/i;
const fileHead = /^content-disposition: form-data; name="file"(?:; filename\*?=[^\r\n]*)?(?:\r\n|$)/i;

/**
 * Reads the object key before the file, then puts the bytes back for forwarding. Undefined if no browser writes such a form.
 */
export async function readFormKey(body: IncomingMessage): Promise<string | undefined> {
  const boundary = boundaryOf.exec(body.headers['content-type'] ?? '')?.[2];
  if (boundary === undefined) return undefined;
  let read = Buffer.alloc(0);
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    read = Buffer.concat([read, chunk as Buffer]);
    const key = keyIn(read.toString('latin1'), boundary);
    if (key === 'incomplete' && read.length < mostBytes) continue;
    body.unshift(read);
    return typeof key === 'string' ? undefined : key?.value;
  }
  return undefined;
}

type Key = { readonly value: string } | 'incomplete' | undefined;

/** Refuses a field that occurs twice, in any letter case, because the store might use the other value. */
function keyIn(text: string, boundary: string): Key {
  const fields = new Map<string, string>();
  const delimiter = `--${boundary}\r\n`;
  if (!text.startsWith(delimiter)) return text.length < delimiter.length ? 'incomplete' : undefined;
  for (let from = delimiter.length; ;) {
    const headEnd = text.indexOf('\r\n\r\n', from);
    if (headEnd < 0) return 'incomplete';
    const head = text.slice(from, headEnd);
    if (fileHead.test(head)) {
      const value = fields.get('key');
      return value === undefined ? undefined : { value };
    }
    const name = fieldHead.exec(head)?.[1]?.toLowerCase();
    if (name === undefined || fields.has(name)) return undefined;
    const end = text.indexOf(`\r\n${delimiter}`, headEnd + 4 - 2);
    if (end < 0) return 'incomplete';
    fields.set(name, text.slice(headEnd + 4, end));
    from = end + 2 + delimiter.length;
  }
}
