import type { AdminApi } from './admin-api.ts';

const KEY_PROVIDER = 'org.keycloak.keys.KeyProvider';
// RSA keys of 2048 bits, which Keycloak creates for every realm: less than 128 bits of strength.
const WEAK = ['rsa-generated', 'rsa-enc-generated'];

/** Lets a realm sign its tokens with ES256 (P-256) only. */
export async function syncTokenKeys(admin: AdminApi, realm: string): Promise<void> {
  const providers = await admin.components.find({ realm, type: KEY_PROVIDER });
  if (!providers.some(({ providerId }) => providerId === 'ecdsa-generated')) {
    await admin.components.create({
      realm,
      name: 'ecdsa-generated',
      providerId: 'ecdsa-generated',
      providerType: KEY_PROVIDER,
      config: { priority: ['100'], ecdsaEllipticCurveKey: ['P-256'] },
    });
  }
  for (const { id, providerId = '' } of providers)
    if (id && WEAK.includes(providerId)) await admin.components.del({ realm, id });
}
