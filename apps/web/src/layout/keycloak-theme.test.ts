import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { pageTitles, paths } from '../navigation/paths.ts';

const theme = join(import.meta.dirname, '../../../../deploy/keycloak/themes/stoa/login');

test("the header and footer of the sign-in pages have the site's links", async () => {
  const frame = await readFile(join(theme, 'site-frame.ftl'), 'utf8');
  const messages = await readFile(join(theme, 'messages/messages_en.properties'), 'utf8');
  const links = [...frame.matchAll(/<a[^>]* href="\$\{site\}([^"]*)".*?>\$\{msg\("(\w+)"\)\}<\/a>/g)].map(
    ([, address, key]) => [address, new RegExp(`^${key}=(.*)$`, 'm').exec(messages)?.[1]],
  );
  expect(links).toEqual([
    [paths.home, 'Home'],
    [paths.browse, pageTitles.browse],
    [paths.about, pageTitles.about],
    [paths.login, 'Log In'],
    [paths.signup, 'Sign Up'],
    [paths.dashboard, 'Dashboard'],
    [paths.privacy, pageTitles.privacy],
    [paths.terms, pageTitles.terms],
    [paths.guidelines, pageTitles.guidelines],
    [paths.help, pageTitles.help],
    [paths.contact, pageTitles.contact],
  ]);
});
