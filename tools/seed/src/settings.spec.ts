import { describe, expect, it } from '@jest/globals';
import { settingsFromEnvironment } from './settings.ts';

const SEED_PASSWORD = 'a password';

describe('settings', () => {
  it('have defaults for everything but the password', () => {
    expect(settingsFromEnvironment({ SEED_PASSWORD })).toEqual({
      siteUrl: 'http://localhost:8080',
      issuer: undefined,
      password: SEED_PASSWORD,
      count: undefined,
    });
    expect(() => settingsFromEnvironment({})).toThrow('SEED_PASSWORD is not set');
  });

  it('derive the issuer from the address of Keycloak', () => {
    const { issuer } = settingsFromEnvironment({ SEED_PASSWORD, KEYCLOAK_URL: 'https://auth.example.org/' });
    expect(issuer).toBe('https://auth.example.org/realms/stoa');
  });

  it.each(['0', '-1', '2.5', 'five'])('refuse %s creators', (SEED_CREATORS) => {
    expect(() => settingsFromEnvironment({ SEED_PASSWORD, SEED_CREATORS })).toThrow('SEED_CREATORS');
  });
});
