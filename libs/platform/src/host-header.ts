import type { IncomingMessage } from 'node:http';

/** A name or an address, and a port (RFC 9110, 7.2). */
const host = /^(?:[a-z\d](?:[a-z\d._-]*[a-z\d._])?|\[[a-f\d:.]+\])(?::\d{1,5})?$/i;
const longest = 261;

/**
 * Whether a request names its host exactly once, in a form that all programs parse alike. HTTP/1.0 has no such header,
 * so it may be absent there.
 */
export function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let only: string | undefined;
  // `rawHeaders` alternates names and values. Node's `headers` drops a second `Host`.
  for (let name = 0; name < rawHeaders.length; name += 2) {
    if (rawHeaders[name]?.toLowerCase() !== 'host') continue;
    if (only !== undefined) return false;
    only = rawHeaders[name + 1] ?? '';
  }
  if (only === undefined) return httpVersion === '1.0';
  return only.length <= longest && host.test(only);
}
