/** Query parameters of campaigns and clicks. They do not identify a payee. */
const campaignMark =
  /^(utm_.*|fbclid|gclid|gbraid|wbraid|dclid|msclkid|ttclid|twclid|igshid|mc_[ce]id|_g[al])$/i;
const unreserved = /^[\w.~-]$/;

/**
 * The payee of a link: its normalized scheme, host, path, query and fragment; null if `link` is not a link. Providers name
 * the account in the path, in the query (`?business=`, `?hosted_button_id=`) or in the fragment (`#/name`). Normalization
 * removes `www.`, a trailing dot of the host, the default port, trailing slashes and campaign parameters, and sorts the
 * query. It is idempotent.
 */
export function payeeOf(link: string): string | null {
  const url = URL.parse(link);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  const host = url.host.replace(/\.(?=:|$)/, '').replace(/^(?:www\.)+(?=[^.]+\.)/, '');
  const path = sameEncoding(url.pathname).replace(/\/+$/, '');
  const query = queryOf(url);
  const fragment = url.hash.length > 1 ? sameEncoding(url.hash) : '';
  return `${url.protocol}//${host}${path}${query}${fragment}`;
}

function queryOf({ search, searchParams }: URL): string {
  // Decoding replaces all invalid UTF-8 by one character and could make two payees equal, so such a query stays unchanged.
  if ([...searchParams].flat().some((text) => text.includes('\ufffd'))) return search;
  const parameters = new URLSearchParams([...searchParams].filter(([name]) => !campaignMark.test(name)));
  parameters.sort();
  return parameters.size > 0 ? `?${parameters}` : '';
}

/** Whether `payee` is among the `used` ones. A change from http to https keeps the payee; a change back makes it new. */
export function isUsedPayee(payee: string, used: ReadonlySet<string>): boolean {
  const place = payee.replace(/^https?:/, '');
  const hasSecure = used.has(`https:${place}`);
  return hasSecure ? payee.startsWith('https:') : used.has(`http:${place}`);
}

/** Decodes unreserved characters and capitalizes other percent-encodings (RFC 3986, 6.2.2). */
function sameEncoding(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return unreserved.test(letter) ? letter : code.toUpperCase();
  });
}
