import { plainLine } from './plain-text.ts';

const atom = String.raw`[a-z0-9!#$%&'*+/=?^_\`{|}~-]+`;
/** The part before the @: the dot-atom of RFC 5322, of at most 64 letters (RFC 5321). Nothing in it can begin another header. */
const localPart = new RegExp(String.raw`^(?=.{1,64}$)${atom}(?:\.${atom})*$`, 'i');
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** At least two labels, the last one no number. */
const hostName = new RegExp(String.raw`^(?=.{1,253}$)(?:${label}\.)+(?!\d+$)${label}$`);

/** An address as it is kept: without what nobody sees, and its domain in ASCII (RFC 5890). Anything else stays as it came. */
export function plainAddress(typed: string): string {
  const address = plainLine(typed);
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  // What is a host alone: a port, a path or an escape would be taken away or decoded.
  if (at < 1 || !/^[\p{L}\p{M}\p{N}.。．｡-]+$/u.test(domain)) return address;
  return `${address.slice(0, at)}@${URL.parse(`https://${domain}`)?.hostname ?? domain}`;
}

/** Whether mail can be sent to it, in the form that `plainAddress` gives it. */
export function isAddress(address: string): boolean {
  const at = address.lastIndexOf('@');
  return localPart.test(address.slice(0, at)) && hostName.test(address.slice(at + 1));
}
