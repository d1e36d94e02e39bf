import type { AdminApi } from './admin-api.ts';

interface Execution {
  providerId?: string;
  requirement: string;
}

const STEPS = ['auth-otp-form', 'webauthn-authenticator', 'auth-recovery-authn-code-form'];

/** Keycloak ships most of them switched off. Only those who have set one up are asked for it. */
export async function offerSecondFactors(admin: AdminApi, realm: string): Promise<void> {
  const flow = `/${realm}/authentication/flows/browser/executions`;
  for (const execution of await admin.get<Execution[]>(flow)) {
    const offered = STEPS.includes(execution.providerId ?? '');
    if (offered && execution.requirement === 'DISABLED')
      await admin.put(flow, { ...execution, requirement: 'ALTERNATIVE' });
  }
}
