import type { IncomingMessage } from 'node:http';

/** The policy is about 600 bytes, its signature 100. */
const mostBytes = 16_384;
const boundaryOf = /^multipart\/form-data; ?boundary=("?)([\w'()+,./:=?-]{1,70})\1$/i;
/** As browsers, curl and Node write a field: what only some parser would understand is refused. */
const fieldHead = /^content-disposition: form-data; name="([\w-]+)"(?:\r\ncontent-type: [^\r\n]*)?$/i;
const fileHead = /^content-disposition: form-data; name="file"(?:; filename\*?=[^\r\n]*)?(?:\r\n|$)/i;

/**
 * The key of the object that a form posts, read from the fields before its file. What was read is put back, so that the
 * body can be forwarded. Undefined for a form that no browser makes.
 */
export async function keyOfForm(body: IncomingMessage): Promise<string | undefined> {
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

/** Each field once, whatever its case: a store that takes another of two must not see another form than this proxy. */
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
