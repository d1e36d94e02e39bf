export { pageTitles, paths, patterns } from '@stoa/contracts/pages';
import { paths } from '@stoa/contracts/pages';

/** Whether an address belongs to the pages of signed-in creators. */
export function isCreatorPath(pathname: string): boolean {
  return [paths.dashboard, paths.createProfile].some((room) => `${pathname}/`.startsWith(`${room}/`));
}

/**
 * The delivery key in an address, also among parameters of a payment provider; undefined if there is none.
 */
export function deliveryKeyOf({ search, hash }: { search: string; hash: string }): string | undefined {
  return /[#?&]key=([\w-]+)/.exec(hash + search)?.[1];
}

/** Moves a key from the query, which servers, logs and caches see, into the fragment. */
export function moveKeyToFragment(): void {
  const { pathname, search } = location;
  const key = deliveryKeyOf(location);
  if (key && deliveryKeyOf({ search, hash: '' }) && pathname.startsWith('/download/'))
    history.replaceState(history.state, '', `${pathname}#key=${key}`);
}
