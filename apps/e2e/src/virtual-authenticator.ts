import type { Page } from '@playwright/test';

/** Adds a virtual authenticator, which creates passkeys, and answers Keycloak's dialog with the name of the passkey. */
export async function addVirtualAuthenticator(page: Page, name: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  page.on('dialog', (dialog) => void dialog.accept(name));
}
