import { plainLine } from './plain-text.ts';

const atom = String.raw`[a-zA-Z0-9!#$%&'*+/=?^_\`{|}~-]+`;
/** The dot-atom of RFC 5322 with at most 64 characters (RFC 5321). It cannot start another mail header. */
const local = `${atom}(?:[.]${atom})*`;
const localPart = new RegExp(`^(?=.{1,64}$)${local}$`);
const ends = 'a-z0-9';
const labelOf = (letters: string) => `[${letters}](?:[${letters}-]{0,61}[${letters}])?`;
/** A domain has at least two labels, and the last one is not a number. */
const domainOf = (letters: string) => `(?:${labelOf(letters)}[.])+(?![0-9]+$)${labelOf(letters)}`;
const hostName = new RegExp(`^(?=.{1,253}$)${domainOf(ends)}$`);

/**
 * The same rule without anchors, in syntax that JavaScript and Java share, for Keycloak's `user-profile.json`. A test of
 * libs/realm keeps both equal. Before Keycloak reads a domain, its proxy converts it to ASCII; Keycloak lowercases it.
 */
export const emailPattern = `(?=[^@]{1,64}@)${local}@${domainOf('a-zA-Z0-9')}`;

/** Normalizes an address for storage: without invisible characters, with its domain in ASCII (RFC 5890). */
export function plainAddress(typed: string): string {
  const address = plainLine(typed);
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  // Only a plain host name: the URL parser would remove a port or a path and decode an escape.
  if (at < 1 || !/^[\p{L}\p{M}\p{N}.。．｡-]+$/u.test(domain)) return address;
  return `${address.slice(0, at)}@${URL.parse(`https://${domain}`)?.hostname ?? domain}`;
}

const dotless = new Set(['gmail.com', 'googlemail.com']);

/**
 * The mailbox that an address most likely delivers to: lowercase, without a `+tag`, and for Gmail without dots. Only rate
 * limits use it; it is no address for mail.
 */
export function mailboxOf(address: string): string {
  const plain = plainAddress(address).toLowerCase();
  const at = plain.lastIndexOf('@');
  if (at < 1) return plain;
  const domain = plain.slice(at + 1);
  const [name = ''] = plain.slice(0, at).split(/(?<=.)\+/);
  return dotless.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

/** Whether an address normalized by `plainAddress` is valid for mail. */
export function isAddress(address: string): boolean {
  const at = address.lastIndexOf('@');
  return localPart.test(address.slice(0, at)) && hostName.test(address.slice(at + 1));
}
