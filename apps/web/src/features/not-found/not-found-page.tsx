import { Link } from 'react-router-dom';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { FallenColumn } from '../../ui/pictures/illustrations.tsx';

export default function NotFoundPage() {
  return (
    <Page title="Page not found" width="text">
      <div className="grid justify-items-center gap-5 py-10 text-center">
        <FallenColumn className="h-40 w-auto" />
        <h1 className="text-5xl">This page is a ruin.</h1>
        <p className="text-muted text-lg">
          There is nothing at this address. It may have moved, or never stood here.
        </p>
        <div className="flex flex-wrap justify-center gap-3">
          <Link to={paths.home} className={buttonClass()}>
            Back to Home
          </Link>
          <Link to={paths.browse} className={buttonClass('secondary')}>
            Browse Creators
          </Link>
        </div>
      </div>
    </Page>
  );
}
