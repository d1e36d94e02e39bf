import { plainLine } from './plain-text.ts';

const atom = String.raw`[a-zA-Z0-9!#$%&'*+/=?^_\`{|}~-]+`;
/** The dot-atom of RFC 5322, of at most 64 letters (RFC 5321). Nothing in it can begin another header. */
const local = `${atom}(?:[.]${atom})*`;
const localPart = new RegExp(`^(?=.{1,64}$)${local}$`);
const ends = 'a-z0-9';
const labelOf = (letters: string) => `[${letters}](?:[${letters}-]{0,61}[${letters}])?`;
/** At least two labels, the last one no number. */
const domainOf = (letters: string) => `(?:${labelOf(letters)}[.])+(?![0-9]+$)${labelOf(letters)}`;
const hostName = new RegExp(`^(?=.{1,253}$)${domainOf(ends)}$`);

/**
 * The same rule without anchors, in words that JavaScript and Java read alike, for Keycloak (`deploy/keycloak/user-profile.json`,
 * held equal by a test of libs/realm). The proxy in front of it spells domains in ASCII; Keycloak puts them in small letters.
 */
export const emailPattern = `(?=[^@]{1,64}@)${local}@${domainOf('a-zA-Z0-9')}`;

/** An address as it is kept: without what nobody sees, and its domain in ASCII (RFC 5890). Anything else stays as it came. */
export function plainAddress(typed: string): string {
  const address = plainLine(typed);
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  // What is a host alone: a port, a path or an escape would be taken away or decoded.
  if (at < 1 || !/^[\p{L}\p{M}\p{N}.。．｡-]+$/u.test(domain)) return address;
  return `${address.slice(0, at)}@${URL.parse(`https://${domain}`)?.hostname ?? domain}`;
}

const dotless = new Set(['gmail.com', 'googlemail.com']);

/**
 * The mailbox that an address most likely leads to, for counting alone: in small letters and without a tag behind `+`, and for
 * Gmail without dots. No mail is sent to it.
 */
export function mailboxOf(address: string): string {
  const plain = plainAddress(address).toLowerCase();
  const at = plain.lastIndexOf('@');
  if (at < 1) return plain;
  const domain = plain.slice(at + 1);
  const [name = ''] = plain.slice(0, at).split(/(?<=.)\+/);
  return dotless.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

/** Whether mail can be sent to it, in the form that `plainAddress` gives it. */
export function isAddress(address: string): boolean {
  const at = address.lastIndexOf('@');
  return localPart.test(address.slice(0, at)) && hostName.test(address.slice(at + 1));
}
