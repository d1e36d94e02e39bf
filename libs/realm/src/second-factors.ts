import type { AdminApi } from './admin-api.ts';

const STEPS = ['auth-otp-form', 'webauthn-authenticator', 'auth-recovery-authn-code-form'];

/**
 * Enables the second factors, most of which Keycloak ships switched off. Only accounts that have one must use
 * it.
 */
export async function offerSecondFactors(admin: AdminApi, realm: string): Promise<void> {
  const { authenticationManagement } = admin;
  const flow = { realm, flow: 'browser' };
  for (const execution of await authenticationManagement.getExecutions(flow)) {
    const offered = STEPS.includes(execution.providerId ?? '');
    if (offered && execution.requirement === 'DISABLED')
      await authenticationManagement.updateExecution(flow, { ...execution, requirement: 'ALTERNATIVE' });
  }
}
