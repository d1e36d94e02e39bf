import type { AdminApi } from './admin-api.ts';

const KEY_PROVIDER = 'org.keycloak.keys.KeyProvider';
// Of 2048 bits, which is less than 128 bits of strength; Keycloak makes them for every realm.
const WEAK = ['rsa-generated', 'rsa-enc-generated'];

/**
 * Lets a realm sign its tokens with ES256 (P-256). What an older installation signed with RS256 is verified until the
 * next run: the first one lets those keys sign no more, and the one after it takes them away.
 */
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
  for (const provider of providers) {
    const { id, providerId = '', config } = provider;
    if (!id || !WEAK.includes(providerId)) continue;
    if (config?.['active']?.[0] === 'false') await admin.components.del({ realm, id });
    else
      await admin.components.update({ realm, id }, { ...provider, config: { ...config, active: ['false'] } });
  }
}
