import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { keyOf, paths } from '../paths.ts';
import { useSession } from './session.ts';

/** Lets signed-in creators pass; everybody else logs in first and comes back. */
export function RequireUser() {
  const session = useSession();
  const { pathname, search } = useLocation();
  if (session.status === 'signed-in') return <Outlet />;
  return <Navigate to={paths.login} state={{ from: pathname + search }} replace />;
}

/** Lets whoever brings a key pass as well; the server judges it. */
export function RequireUserOrKey() {
  const { search } = useLocation();
  return keyOf(search) === undefined ? <RequireUser /> : <Outlet />;
}
