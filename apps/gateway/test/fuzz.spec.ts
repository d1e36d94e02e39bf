import { contact, creators, identity, media, offerings, type Request } from '@stoa/contracts';
import { aCaller, inRepository, plainReporter, schemathesis } from '@stoa/testing';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { StandIns } from './stand-ins.ts';

const fuzzFolder = inRepository('apps/gateway/fuzz');
let python: string;
let folder: string;
let gateway: GatewayUnderTest;
let services: StandIns;
/** What the gateway let through to a service. */
let reached: unknown[][];

beforeAll(async () => {
  python = await schemathesis(plainReporter(console.error).task('Fuzzer'));
  folder = await mkdtemp(join(tmpdir(), 'stoa-fuzz-'));
  gateway = await startGatewayUnderTest({ settings: { TRUST_PROXY: '1' } });
  services = new StandIns(gateway);
  const requests = [contact, creators, identity, media, offerings]
    .flatMap((contract) => Object.values(contract))
    .filter(({ kind }) => kind === 'request') as Request[];
  reached = await Promise.all(
    requests
      .filter(({ askers }) => askers.includes('gateway'))
      // An answer that every operation may give.
      .map((request) => services.refuse(request, 'rate_limited', 1)),
  );
}, 300_000);
afterAll(async () => {
  await services.leave();
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Tries every operation, alone and after one another, with what its description allows and what it does not. */
async function fuzz(token?: string): Promise<void> {
  const config = join(fuzzFolder, 'schemathesis.toml');
  const address = `${gateway.url}/api/openapi.json`;
  const args = ['-m', 'schemathesis.cli', '--config-file', config, 'run', address, '--max-time', '45'];
  const env = {
    ...process.env,
    SCHEMATHESIS_HOOKS: 'hooks',
    PYTHONPATH: fuzzFolder,
    PYTHONDONTWRITEBYTECODE: '1',
    ...(token && { STOA_FUZZ_TOKEN: token }),
  };
  const { code, said } = await new Promise<{ code: number; said: string }>((resolve) => {
    execFile(
      python,
      args,
      { cwd: folder, env, timeout: 100_000, maxBuffer: 2 ** 26 },
      (error, output, errors) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, said: output + errors }),
    );
  });
  if (code !== 0) throw new Error(said);
}

const count = () => reached.flat().length;

test('the fuzzer finds nothing as a creator, and gets through to services', async () => {
  const before = count();
  await fuzz(await gateway.token(aCaller()));
  expect(count()).toBeGreaterThan(before + 50);
}, 120_000);

test('the fuzzer finds nothing as a visitor', async () => {
  await expect(fuzz()).resolves.toBeUndefined();
}, 120_000);
