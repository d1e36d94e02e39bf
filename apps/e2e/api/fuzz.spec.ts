import { expect, test } from '@playwright/test';
import { inRepository, plainReporter, schemathesis } from '@stoa/system';
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { makeAccount, makeCreator, upload, uploadFile } from '../src/creators.ts';
import { theSystem } from '../src/system.ts';

test.describe.configure({ timeout: 400_000 });

const folder = inRepository('apps/e2e/fuzz');
let python: string;

test.beforeAll(async () => {
  // On a new machine this downloads Schemathesis, a program that sends random requests to an API.
  test.setTimeout(300_000);
  python = await schemathesis(plainReporter(console.error).task('Fuzzer'));
});

/**
 * Sends valid and invalid random requests to all operations, alone and in sequences. Returns the operations that succeeded.
 * With `only` it sends all examples of these operations instead.
 */
function fuzz(signedIn?: object, only: readonly string[] = []): Promise<string[]> {
  const address = `${theSystem().siteUrl}/api/openapi.json`;
  const config = ['--config-file', `${folder}/schemathesis.toml`];
  const extent = only.length > 0 ? only.flatMap((name) => ['--include-name', name]) : ['--max-time', '45'];
  const args = ['-m', 'schemathesis.cli', ...config, 'run', address, ...extent];
  // With FORCE_COLOR, Schemathesis would write its progress into the report.
  const { FORCE_COLOR: _, ...inherited } = process.env;
  const env = {
    ...inherited,
    SCHEMATHESIS_HOOKS: 'hooks',
    PYTHONPATH: folder,
    PYTHONDONTWRITEBYTECODE: '1',
    // Each run has its own network addresses, so that concurrent and repeated runs do not share rate limits.
    STOA_FUZZ_ADDRESSES: `198.${signedIn ? 18 : 19}.${only.length > 0 ? 128 : 0}.1`,
    ...(signedIn && { STOA_FUZZ_SIGNED_IN: JSON.stringify(signedIn) }),
  };
  const cwd = test.info().outputPath();
  mkdirSync(cwd, { recursive: true });
  const options = { cwd, env, timeout: 170_000, maxBuffer: 2 ** 26 };
  return new Promise((resolve, reject) => {
    execFile(python, args, options, (error, output, errors) => {
      // Shows the section with the failures first, because the rest of the output is very long.
      const found = /=+ FAILURES =+[^]*?(?==+ WARNINGS|$)/.exec(output)?.[0] ?? output;
      if (error) reject(new Error(found + errors, { cause: error }));
      else resolve(JSON.parse(/^Answered: (.*)$/m.exec(output)?.[1] ?? '[]') as string[]);
    });
  });
}

/** Fuzzes for 45 s, in which a slow machine reaches fewer operations, and then runs the operations that were missed. */
async function fuzzAndReach(wanted: readonly string[], signedIn?: object): Promise<void> {
  const answered = await fuzz(signedIn);
  const missed = wanted.filter((operation) => !answered.includes(operation));
  if (missed.length === 0) return;
  const reached = await fuzz(signedIn, missed);
  expect(missed.filter((operation) => !reached.includes(operation))).toEqual([]);
}

test('fuzzing as a creator finds no undeclared response and reaches all services', async () => {
  const [{ token }, ...spares] = await Promise.all([
    makeCreator(),
    ...Array.from({ length: 8 }, () => makeAccount()),
  ]);
  const coverImageId = (await upload(token, 'offering-cover')).id;
  const profileImageId = (await upload(token, 'profile-picture')).id;
  const headerImageId = (await upload(token, 'profile-header')).id;
  const file = { name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 a file') };
  const fileId = (await uploadFile(token, file)).id;
  await fuzzAndReach(
    ['POST /api/offerings', 'PUT /api/me/profile', 'POST /api/uploads', 'GET /api/account/sessions'],
    {
      token,
      spares: spares.map((spare) => spare.token),
      coverImageId,
      profileImageId,
      headerImageId,
      fileId,
    },
  );
});

test('fuzzing as a visitor finds no undeclared response [e2e-10]', async () => {
  await fuzzAndReach(['GET /api/creators', 'POST /api/contact-messages']);
});
