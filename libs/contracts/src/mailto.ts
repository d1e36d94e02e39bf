// Separate from email-address.ts, which would add to the size of every profile.

/** The `mailto:` link of a stored address (RFC 6068), with the domain in ASCII and reserved characters encoded. */
export function mailtoLink(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  const local = encodeURIComponent(address.slice(0, at)).replace(/%2B/g, '+').replace(/%24/g, '$');
  return `mailto:${local}@${URL.parse(`https://${domain}`)?.host ?? encodeURIComponent(domain)}`;
}
