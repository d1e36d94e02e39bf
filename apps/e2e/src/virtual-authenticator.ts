import type { Page } from '@playwright/test';

/** Gives the page's browser a device that makes passkeys and holds a finger to it, and calls each passkey `name`, as Keycloak asks by a dialog. */
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
