import { Link } from 'react-router-dom';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { buttonClass } from '../../ui/button.tsx';

/** Shown after deleting the account. It has no data about the user, and is the same for all visitors. */
export default function AccountDeletedPage() {
  return (
    <Page title="Account Deleted" width="text">
      <h1 className="text-4xl">Your Account Is Deleted</h1>
      <p className="mt-4">
        You are signed out everywhere, and nobody can log in to the account any more. What belonged to it is
        being removed now. When every part of Stoa has let go of it, we mail you a receipt that says what it
        was; then we forget your address too.
      </p>
      <p className="mt-4">Thank you for having been here.</p>
      <Link to={paths.home} className={`${buttonClass('secondary')} mt-8`}>
        Back to Home
      </Link>
    </Page>
  );
}
