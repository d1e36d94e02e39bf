export { pageTitles, paths, patterns } from '@stoa/contracts/pages';
import { paths } from '@stoa/contracts/pages';

/** Whether an address belongs to the rooms of signed-in creators. */
export function isCreatorPath(pathname: string): boolean {
  return [paths.dashboard, paths.createProfile].some((room) => `${pathname}/`.startsWith(`${room}/`));
}

/** The delivery key in an address, if there is one, whatever a payment provider has put around it. */
export function deliveryKeyOf({ search, hash }: { search: string; hash: string }): string | undefined {
  return /[#?&]key=([\w-]+)/.exec(hash + search)?.[1];
}

/** Links from before have the key in the query, where servers, logs and caches see it; it moves on at once. */
export function moveKeyToFragment(): void {
  const { pathname, search } = location;
  const key = deliveryKeyOf(location);
  if (key && deliveryKeyOf({ search, hash: '' }) && pathname.startsWith('/download/'))
    history.replaceState(history.state, '', `${pathname}#key=${key}`);
}
