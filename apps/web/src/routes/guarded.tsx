import { Outlet, useLocation } from 'react-router-dom';
import { RequireUser } from '../auth/require-user.tsx';
import AccountRefusedPage from '../features/sign-in/account-refused-page.tsx';
import { PageWaiting } from '../layout/page-waiting.tsx';
import { deliveryKeyOf } from '../navigation/paths.ts';

/**
 * Lets signed-in users pass. With `orKey`, a delivery key in the address passes too, and the server checks
 * it.
 */
export default function Guarded({ orKey = false }: { orKey?: boolean }) {
  if (deliveryKeyOf(useLocation()) !== undefined && orKey) return <Outlet />;
  return <RequireUser refused={<AccountRefusedPage />} waiting={<PageWaiting />} />;
}
