import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { loadSecrets } from './secrets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stoa-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('generates secrets once, in a file that only its owner can read (0600) [system-3]', () => {
  const file = join(folder, 'state/secrets.env');
  const made = loadSecrets(file);

  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(loadSecrets(file)).toEqual(made);
  expect(new Set(Object.values(made)).size).toBe(Object.values(made).length);

  chmodSync(file, 0o644);
  loadSecrets(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('adds missing secrets and keeps existing ones', () => {
  const file = join(folder, 'secrets.env');
  writeFileSync(file, 'POSTGRES_PASSWORD=kept\n');

  expect(loadSecrets(file).POSTGRES_PASSWORD).toBe('kept');
  expect(readFileSync(file, 'utf8')).toMatch(/^NATS_GATEWAY_PASSWORD=[a-z]{2}[A-Za-z0-9]{30}$/m);
});

it('adds a missing secret and keeps every other line, unknown ones included', () => {
  const file = join(folder, 'secrets.env');
  const { CONTACT_SENDER_KEY, ...others } = loadSecrets(file);
  expect(CONTACT_SENDER_KEY).toBeDefined();
  const lines = Object.entries(others).map(([name, value]) => `${name}=${value}`);
  const before = [
    '# Of the provider, see the vault',
    'SMTP_USER=stoa',
    'SMTP_PASSWORD=of=another',
    '',
    ...lines,
  ];
  // Leaves out the line feed of the last line, as some editors do.
  writeFileSync(file, ['CONTACT_SENDER_KEY=', ...before].join('\n'));

  const { CONTACT_SENDER_KEY: added, ...kept } = loadSecrets(file);
  expect(added).toMatch(/^[a-z]{2}[A-Za-z0-9]{30}$/);
  expect(kept).toEqual({ ...others, SMTP_USER: 'stoa', SMTP_PASSWORD: 'of=another' });
  expect(readFileSync(file, 'utf8')).toBe([...before, `CONTACT_SENDER_KEY=${added}`, ''].join('\n'));
  expect(loadSecrets(file)).toEqual({ ...kept, CONTACT_SENDER_KEY: added });
});

it('generates NATS passwords that nats.conf parses as strings', () => {
  const secrets = Object.entries(loadSecrets(join(folder, 'secrets.env')));
  for (const [, value] of secrets.filter(([name]) => name.startsWith('NATS_')))
    expect(value).toMatch(/^[a-z]{2}/);
});
