import type { AdminApi } from './admin-api.ts';

const TERMS = 'registration-terms-and-conditions';

/** Requires the terms checkbox at sign-up; Keycloak ships it switched off. */
export async function requireTerms(admin: AdminApi, realm: string): Promise<void> {
  const flow = { realm, flow: 'registration' };
  const executions = await admin.authenticationManagement.getExecutions(flow);
  const terms = executions.find(({ providerId }) => providerId === TERMS);
  if (!terms) throw new Error(`The flow registration of realm ${realm} has no step ${TERMS}.`);
  if (terms.requirement === 'REQUIRED') return;
  await admin.authenticationManagement.updateExecution(flow, { ...terms, requirement: 'REQUIRED' });
}
