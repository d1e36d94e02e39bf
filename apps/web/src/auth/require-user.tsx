import type { ReactNode } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { ApiError } from '../api/http.ts';
import { paths } from '../navigation/paths.ts';
import { useMe } from './me.queries.ts';
import { useSession } from './session.ts';

/**
 * Lets signed-in creators pass. Everyone else logs in first and returns. `refused` shows if Keycloak knows
 * the account but its record cannot be created.
 */
export function RequireUser({ refused, waiting }: { refused: ReactNode; waiting: ReactNode }) {
  const session = useSession();
  const { pathname, search } = useLocation();
  if (session.status === 'unknown') return waiting;
  if (session.status === 'signed-in') return <OpenAccount refused={refused} />;
  return <Navigate to={paths.login} state={{ from: pathname + search }} replace />;
}

function OpenAccount({ refused }: { refused: ReactNode }) {
  const { error } = useMe();
  // Each page shows failures of unreachable and slow services itself.
  const cannotBeOpened = error instanceof ApiError && ['conflict', 'invalid_input'].includes(error.reason);
  return cannotBeOpened ? refused : <Outlet />;
}
