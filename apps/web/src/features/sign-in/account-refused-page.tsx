import { Link } from 'react-router-dom';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/notice.tsx';

/** Shown if the sign-in server knows the account, but no profile can be created under its username. */
export default function AccountRefusedPage() {
  return (
    <Page title="Your account could not be opened" width="text">
      <ErrorState title="Your account could not be opened." titleLevel="h1">
        <p className="text-muted max-w-prose">
          Its username is reserved, breaks the rules for usernames or belongs to somebody else. Write to us
          and we will find you another one. Your email address and your password stay as they are.
        </p>
        <Link to={paths.contact} className={buttonClass('secondary')}>
          Contact us
        </Link>
      </ErrorState>
    </Page>
  );
}
