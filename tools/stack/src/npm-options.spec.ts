import { expect, test } from '@jest/globals';
import { keptOptions } from './npm-options.ts';

const known = new Set(['cache', 'call', 'registry', 'dry-run']);
const kept = (form: string, environment: Record<string, string>, args: string[] = []) =>
  keptOptions(form, args, environment, known);

test('a command finds every option that npm kept because "--" was missing', () => {
  // npm run stoa with-system npx playwright test -c file --no-deps --project=journeys
  const environment = {
    npm_config_cache: '/cache',
    npm_config_user_agent: 'npm',
    npm_config_call: 'apps/e2e/playwright.config.ts',
    npm_config_deps: '',
    npm_config_project: 'journeys',
  };
  expect(kept('with-system [--small-disks] <command …>', environment)).toEqual(['call', 'deps', 'project']);
});

test('a command finds its own options that npm kept', () => {
  const environment = { npm_config_seed: '', npm_config_inspect: 'creators' };
  expect(kept('dev [--inspect <app>] [--no-seed]', environment)).toEqual(['seed', 'inspect']);
  expect(kept('test [--affected | quick]', { npm_config_affected: 'true' })).toEqual(['affected']);
});

test("npm's own options and those of other programs do not count", () => {
  const environment = { npm_config_registry: 'here', npm_config_nodedir: '/usr', npm_config_dry_run: 'true' };
  expect(kept('test [--affected | quick]', environment)).toEqual([]);
  expect(kept('with-system <command …>', { npm_config_registry: 'here' })).toEqual([]);
});

test('an option that is set for npm and also passed on is not refused', () => {
  expect(kept('reset [--yes]', { npm_config_yes: 'true' }, ['--yes'])).toEqual([]);
});
