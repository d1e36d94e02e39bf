import { describe, expect, it } from '@jest/globals';
import { settingsFromEnvironment } from './settings.ts';

const ENVIRONMENT = {
  KEYCLOAK_URL: 'http://auth.test',
  KEYCLOAK_SETUP_SECRET: 'a',
  SITE_URL: 'http://site.test',
  KEYCLOAK_IDENTITY_SECRET: 'b',
  SMTP_HOST: 'mail.test',
  SMTP_PORT: '25',
  MAIL_FROM: 'hello@site.test',
};

describe('settings of the realm step', () => {
  it('come from the environment', () => {
    expect(settingsFromEnvironment(ENVIRONMENT)).toMatchObject({
      siteUrl: 'http://site.test',
      smtp: { host: 'mail.test', port: 25 },
    });
  });

  it.each(Object.keys(ENVIRONMENT))('throw an error that names %s when it is missing', (name) => {
    expect(() => settingsFromEnvironment({ ...ENVIRONMENT, [name]: '' })).toThrow(name);
  });
});
