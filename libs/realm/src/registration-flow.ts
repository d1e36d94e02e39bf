import type { AdminApi } from './admin-api.ts';

interface Execution {
  providerId?: string;
  requirement: string;
}

const TERMS = 'registration-terms-and-conditions';

/** Keycloak ships the terms checkbox switched off. */
export async function requireTerms(admin: AdminApi, realm: string): Promise<void> {
  const path = `/${realm}/authentication/flows/registration/executions`;
  const executions = await admin.get<Execution[]>(path);
  const terms = executions.find(({ providerId }) => providerId === TERMS);
  if (!terms) throw new Error(`The flow registration of realm ${realm} has no step ${TERMS}.`);
  if (terms.requirement === 'REQUIRED') return;
  await admin.put(path, { ...terms, requirement: 'REQUIRED' });
}
