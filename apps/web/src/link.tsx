import type { AnchorHTMLAttributes } from 'react';
import { useHref, useLinkClickHandler, useLocation } from 'react-router-dom';

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  to: string;
  /** What the page there is told beside its address. */
  state?: unknown;
  /** What is `face` on both pages goes over from the one to the other: see styles.css. */
  viewTransition?: boolean;
}

/** A link within the site. The router's own Link brings its prefetching along, which weighs on every page. */
export function Link({ to, state, viewTransition, onClick, children, ...rest }: LinkProps) {
  const href = useHref(to);
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, { state, viewTransition });
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) follow(event);
      }}
    >
      {children}
    </a>
  );
}

/** A link of a menu, marked while its page is shown. */
export function MenuLink(props: LinkProps) {
  const { pathname } = useLocation();
  return <Link {...props} aria-current={pathname === props.to ? 'page' : undefined} />;
}
