import { messageFor, words } from '../../api/messages.ts';
import { Page } from '../../layout/page.tsx';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/notice.tsx';

/** The way back from the sign-in server did not lead to a session. */
export default function SignInFailedPage() {
  return (
    <Page title="Log In" width="text">
      <ErrorState title={messageFor(words.login, undefined)} titleLevel="h1">
        <Link to={paths.login} className={buttonClass('secondary')}>
          Try again
        </Link>
      </ErrorState>
    </Page>
  );
}
