/** Marks of campaigns and of the click that led to a page. They name nobody who is paid. */
const campaignMark =
  /^(utm_.*|fbclid|gclid|gbraid|wbraid|dclid|msclkid|ttclid|twclid|igshid|mc_[ce]id|_g[al])$/i;
const unreserved = /^[\w.~-]$/;

/**
 * Who is paid through a link: scheme, host, path and query, spelt in one way; null for no link. For most providers the path
 * names the account, for some the query does (`?business=`, `?hosted_button_id=`) and for some the fragment (`#/name`).
 * Left out are `www.`, a trailing dot of the host, the default port, trailing slashes, the order of parameters and marks of
 * campaigns. Applied to its own answer it changes nothing.
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
  // What is no UTF-8 is read as one and the same sign, so such a query stays as it is.
  if ([...searchParams].flat().some((text) => text.includes('\ufffd'))) return search;
  const parameters = new URLSearchParams([...searchParams].filter(([name]) => !campaignMark.test(name)));
  parameters.sort();
  return parameters.size > 0 ? `?${parameters}` : '';
}

/**
 * Whether `payee` is one of those that are `used`. A payee that was paid without encryption is the same with it; one that was
 * paid with encryption is another one without.
 */
export function isUsedPayee(payee: string, used: ReadonlySet<string>): boolean {
  const place = payee.replace(/^https?:/, '');
  const hasSecure = used.has(`https:${place}`);
  return hasSecure ? payee.startsWith('https:') : used.has(`http:${place}`);
}

/** What needs no percent-encoding is written without it, and the rest in capitals (RFC 3986, 6.2.2). */
function sameEncoding(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return unreserved.test(letter) ? letter : code.toUpperCase();
  });
}
