import { Page } from '../../layout/page.tsx';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';

/** Where one is led after deleting the account. It knows nobody, and says the same to whoever opens it. */
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
