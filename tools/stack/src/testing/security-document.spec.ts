import { limits } from '@stoa/contracts';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { inRepository } from '@stoa/system/paths';
import { apps, partNames, services } from '@stoa/system/settings/names';
import { secretNames } from '@stoa/system/settings/secrets';

const text = readFileSync(inRepository('docs/security.md'), 'utf8');
const realm = json('deploy/keycloak/realm.json') as Record<string, number | string | boolean>;

/** What stands under a heading of the second level. */
function section(title: string): string {
  const found = text.split(/^## /m).find((part) => part.startsWith(title));
  if (!found) throw new Error(`docs/security.md has no section "${title}".`);
  return found;
}

const unnamed = (names: readonly string[], where: string) =>
  names.filter((name) => !where.includes(`\`${name}\``));

it('names every limit of the contracts, with its value', () => {
  const rules = section('Rules of input');
  const rows = Object.entries(limits).map(
    ([name, value]) => `| \`${name}\` | ${value.toLocaleString('en')} |`,
  );
  const squeezed = rules.replace(/ +/g, ' ');
  expect(rows.filter((row) => !squeezed.includes(row))).toEqual([]);
});

it('names who may use each operation of the API', () => {
  const { paths } = json('apps/gateway/openapi.json') as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const operations = Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(unnamed(operations, section('Rules of access'))).toEqual([]);
});

it('classifies every column of every database', () => {
  const columns = services.flatMap((service) => columnsOf(service));
  expect(columns.length).toBeGreaterThan(50);
  expect(unnamed(columns, section('Data'))).toEqual([]);
});

it('names every secret and key', () => {
  expect(unnamed(secretNames, section('Keys and secrets'))).toEqual([]);
});

it('states the session lifetimes of the realm', () => {
  const rows = section('Sessions').replace(/ +/g, ' ');
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

it('states the password rules and the brute-force limit of the realm', () => {
  const guessing = section('Signing in');
  const rules = String(realm['passwordPolicy'])
    .split(' and ')
    .map((rule) => rule.replace(/\(.*$/, ''));
  expect(unnamed(rules, guessing)).toEqual([]);
  expect(guessing).toContain(`\`failureFactor\` ${realm['failureFactor']}`);
});

it('names what is expensive, with the setting or limit that bounds it', () => {
  const bounds = ['REQUEST_CONCURRENCY', 'REQUEST_BACKLOG', 'DATABASE_POOL', 'RATE_LIMIT_PER_MINUTE'];
  expect(unnamed(bounds, section('What is expensive'))).toEqual([]);
});

it('lists what is logged, by each process and each part', () => {
  expect(unnamed([...apps, ...partNames], section('Logs'))).toEqual([]);
});

it('gives time frames for updates, by severity', () => {
  for (const weight of ['critical', 'high', 'medium', 'low'])
    expect(section('Updates')).toMatch(new RegExp(`\\| ${weight} +\\| \\d+ (hours|days) +\\|`));
});

function columnsOf(service: string): string[] {
  const schema = readFileSync(inRepository('apps', service, 'prisma/schema.prisma'), 'utf8');
  return [...schema.matchAll(/^model (\w+) \{\n([^}]*)\}/gm)].flatMap(([, model = '', body = '']) => {
    // The two tables that carry events are the same everywhere and hold what the events say.
    if (['OutboxEntry', 'InboxEntry'].includes(model)) return [];
    const fields = body.matchAll(/^ {2}(\w+) +\w/gm);
    return [...fields].map(([, field]) => `${model}.${field}`);
  });
}

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
