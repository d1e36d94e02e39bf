import { Link } from 'react-router-dom';
import { pageTitles, paths } from '../navigation/paths.ts';
import { BrandMark } from '../ui/brand.tsx';

const links = [
  [paths.privacy, pageTitles.privacy],
  [paths.terms, pageTitles.terms],
  [paths.guidelines, pageTitles.guidelines],
  [paths.help, pageTitles.help],
  [paths.contact, pageTitles.contact],
] as const;

export function Footer() {
  return (
    <footer className="border-line bg-sunk mt-auto border-t">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-10 gap-y-6 px-5 py-10 sm:px-8">
        <div className="flex items-center gap-3">
          <BrandMark className="size-7" />
          <p suppressHydrationWarning className="text-muted text-sm">
            © {new Date().getFullYear()} Stoa. All rights reserved.
          </p>
        </div>
        <nav aria-label="Footer">
          <ul className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
            {links.map(([to, label]) => (
              <li key={to}>
                <Link to={to} className="footer-link">
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  );
}
