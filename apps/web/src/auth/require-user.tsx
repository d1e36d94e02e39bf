import type { ReactNode } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { ApiError } from '../api/http.ts';
import { paths } from '../paths.ts';
import { useMe } from './me.queries.ts';
import { useSession } from './session.ts';

/**
 * Lets signed-in creators pass; everybody else logs in first and comes back. `refused` is for those whose account the
 * sign-in server knows but whose record cannot be made.
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
  // Away and slow services are each room's own affair.
  const cannotBeOpened = error instanceof ApiError && ['conflict', 'invalid_input'].includes(error.reason);
  return cannotBeOpened ? refused : <Outlet />;
}
