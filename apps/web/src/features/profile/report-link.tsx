import { Link, useLocation } from 'react-router-dom';
import { paths } from '../../navigation/paths.ts';

export function ReportLink() {
  return (
    <Link
      to={`${paths.report}?page=${useLocation().pathname}`}
      rel="nofollow"
      className="text-muted hover:text-accent inline-flex min-h-11 items-center text-sm print:hidden"
    >
      Report this page
    </Link>
  );
}
