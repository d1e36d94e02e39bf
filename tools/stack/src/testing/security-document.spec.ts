import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { inRepository } from '@stoa/system/paths';
import { apps, partNames } from '@stoa/system/settings/names';

const realm = json('deploy/keycloak/realm.json') as Record<string, number | string | boolean>;

/** The text under a heading of the second level on a page of docs/security. */
function section(page: string, title: string): string {
  const text = readFileSync(inRepository('docs/security', page), 'utf8');
  const found = text.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
  if (!found) throw new Error(`docs/security/${page} has no section "${title}".`);
  return found;
}

const unnamed = (names: readonly string[], where: string) =>
  names.filter((name) => !where.includes(`\`${name}\``));

it('states the session lifetimes of the realm [stack-3]', () => {
  const rows = section('sign-in.md', 'Sessions').replace(/ +/g, ' ');
  const lives = [
    'accessTokenLifespan',
    'ssoSessionIdleTimeout',
    'ssoSessionMaxLifespan',
    'accessCodeLifespan',
    'actionTokenGeneratedByUserLifespan',
  ];
  expect(lives.filter((name) => !rows.includes(`| \`${name}\` | ${inWords(Number(realm[name]))} |`))).toEqual(
    [],
  );
});

it('states the password rules and the brute-force limit of the realm [stack-4]', () => {
  const guessing = section('sign-in.md', 'Signing in');
  const rules = String(realm['passwordPolicy'])
    .split(' and ')
    .map((rule) => rule.replace(/\(.*$/, ''));
  expect(unnamed(rules, guessing)).toEqual([]);
  expect(section('sign-in.md', 'Brute force')).toContain(`\`failureFactor\` ${realm['failureFactor']}`);
});

it('names what is expensive, with the setting or limit that bounds it [stack-5]', () => {
  const bounds = ['REQUEST_CONCURRENCY', 'REQUEST_BACKLOG', 'DATABASE_POOL', 'RATE_LIMIT_PER_MINUTE'];
  expect(unnamed(bounds, section('input.md', 'What is expensive'))).toEqual([]);
});

it('lists what is logged, by each process and each part [stack-6]', () => {
  expect(unnamed([...apps, ...partNames], section('data.md', 'Logs'))).toEqual([]);
});

it('gives time frames for updates, by severity [stack-7]', () => {
  for (const weight of ['critical', 'high', 'medium', 'low'])
    expect(section('maintenance.md', 'Updates')).toMatch(
      new RegExp(`\\| ${weight} +\\| \\d+ (hours|days) +\\|`),
    );
});

function inWords(seconds: number): string {
  for (const [unit, size] of [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const)
    if (seconds % size === 0) return `${seconds / size} ${unit}${seconds === size ? '' : 's'}`;
  return `${seconds} seconds`;
}

function json(name: string): unknown {
  return JSON.parse(readFileSync(inRepository(name), 'utf8'));
}
