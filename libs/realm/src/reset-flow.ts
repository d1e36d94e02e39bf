import type { AdminApi } from './admin-api.ts';

const MAIL_STEP = 'reset-credential-email';
const FORCE_LOG_IN = 'force-login';
const NEW_AUTHENTICATOR = 'Reset - Conditional OTP';

/**
 * Requires a log-in after a password reset by mail, so that Keycloak asks for the second factor: access to a
 * mailbox must not be enough (ASVS 6.4.3). Keycloak's default flow signs in directly and replaces the
 * authenticator app.
 */
export async function requireLogInAfterReset(admin: AdminApi, realm: string): Promise<void> {
  const { authenticationManagement } = admin;
  const flow = { realm, flow: 'reset credentials' };
  const executions = await authenticationManagement.getExecutions(flow);
  const mail = executions.find(({ providerId }) => providerId === MAIL_STEP);
  const replacing = executions.find(({ displayName }) => displayName === NEW_AUTHENTICATOR);
  if (!mail?.id || !replacing)
    throw new Error(`The flow reset credentials of realm ${realm} has other steps than Keycloak's own.`);
  await requireLogIn(admin, realm, mail.id, mail.authenticationConfig);
  if (replacing.requirement !== 'DISABLED')
    await authenticationManagement.updateExecution(flow, { ...replacing, requirement: 'DISABLED' });
}

async function requireLogIn(
  { authenticationManagement }: AdminApi,
  realm: string,
  id: string,
  configured: string | undefined,
): Promise<void> {
  if (!configured) {
    const settings = { alias: 'log in after a reset', config: { [FORCE_LOG_IN]: 'true' } };
    await authenticationManagement.createConfig({ realm, id, ...settings });
    return;
  }
  const found = await authenticationManagement.getConfig({ realm, id: configured });
  if (found.config?.[FORCE_LOG_IN] === 'true') return;
  const config = { ...found.config, [FORCE_LOG_IN]: 'true' };
  await authenticationManagement.updateConfig({ ...found, realm, config });
}
