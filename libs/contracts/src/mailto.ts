// Apart from the rules for addresses, which would weigh on every profile.

/** What a link to write to a stored address leads to (RFC 6068): its domain in ASCII, and encoded what means something else in a link. */
export function mailtoLink(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  const local = encodeURIComponent(address.slice(0, at)).replace(/%2B/g, '+').replace(/%24/g, '$');
  return `mailto:${local}@${URL.parse(`https://${domain}`)?.host ?? encodeURIComponent(domain)}`;
}
