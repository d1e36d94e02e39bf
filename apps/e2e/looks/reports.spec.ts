import { paths, patterns, previewPaths, previewPatterns, roomPaths } from '@stoa/contracts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../src/repository.ts';
import { screens } from '../src/screens/screens.ts';
import { expect, test } from '../src/test.ts';

const names = screens.map(({ name }) => name).toSorted();
const report = (file: string) => readFileSync(join(repository, 'docs/evidence', file), 'utf8');
const source = (file: string) => readFileSync(join(repository, 'apps/web/src', file), 'utf8');
const tables = { paths, patterns, previewPaths, previewPatterns, roomPaths };
const found = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name]) => name).toSorted();

test('docs/evidence/screenshots.md shows every screen (else run "npm run stoa screenshots") [e2e-179]', () => {
  expect(found(report('screenshots.md'), /^## (.+)$/gm)).toEqual(names);
});

test('docs/evidence/accessibility.md has a row for every screen (else run "npm run stoa accessibility") [e2e-180]', () => {
  expect(found(report('accessibility.md'), /^\| ([\w-]+) +\| `/gm)).toEqual(names);
});

test('every route of the web app has a screen [e2e-181]', () => {
  const routers = ['routes.tsx', 'routes/creator-routes.tsx', 'pages.ts'].map(source).join('\n');
  const routes = [
    ...routers.matchAll(/(?:path:|pattern:|lazyRoom\()\s*(\w*[pP](?:aths|atterns))\.(\w+)/g),
  ].map(([, table, name]) => (tables as Record<string, Record<string, unknown>>)[table ?? '']?.[name ?? '']);
  // Fewer routes would mean that the pattern no longer fits the source.
  expect(routes.length).toBeGreaterThan(30);
  const addresses = screens.map(({ address }) => address.replace(/[?#].*$/, ''));
  // This route only redirects, so it has no screen.
  const withoutScreen = [patterns.termsAlias];
  expect(routes.filter((route) => !addresses.some((address) => leadsTo(route, address)))).toEqual(
    withoutScreen,
  );
});

/** Whether a route pattern of React Router matches the path. */
function leadsTo(route: unknown, address: string): boolean {
  if (typeof route !== 'string') return false;
  if (route === patterns.everythingElse) return address === '/no-such-page';
  const expression = route.replace(/\/:\w+\?/g, '(/[^/]+)?').replace(/\/:\w+/g, '/[^/]+');
  return new RegExp(`^${expression}$`).test(address);
}
