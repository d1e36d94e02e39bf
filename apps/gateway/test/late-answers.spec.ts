import { identity } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { waitFor } from '@stoa/testing';
import { Controller, Get, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { GatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

const telemetry = await import('@stoa/telemetry');
const count = jest.fn(telemetry.count);
jest.unstable_mockModule('@stoa/telemetry', () => ({ ...telemetry, count }));
const { startGatewayUnderTest } = await import('./gateway-under-test.ts');
const { AccountChangesController } = await import('../src/api/account-changes.controller.ts');
const { AnswersWithin, countLateAnswers } = await import('../src/http/late-answers.ts');
const { Limited, limitRates, RateLimits } = await import('../src/http/rate-limits.ts');
const { GatewayConfig } = await import('../src/gateway.config.ts');
const { ProblemFilter } = await import('../src/http/problem.filter.ts');

const shortMs = 50;
let held: PromiseWithResolvers<void>;

@Controller('held')
class HeldController {
  @Get()
  async read(): Promise<void> {
    await held.promise;
  }

  @Post('limited-first')
  @Limited('report')
  @AnswersWithin(shortMs)
  async limitedFirst(): Promise<void> {
    await held.promise;
  }

  @Post('limited-last')
  @AnswersWithin(shortMs)
  @Limited('report')
  async limitedLast(): Promise<void> {
    await held.promise;
  }
}

let gateway: GatewayUnderTest;
let serviceStubs: ServiceStubs;
let app: NestFastifyApplication | undefined;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ settings: { REPORT_LIMIT_PER_HOUR: '1' } });
  serviceStubs = new ServiceStubs(gateway);
});
beforeEach(() => {
  count.mockClear();
  held = Promise.withResolvers();
});
afterEach(async () => {
  held.resolve();
  await app?.close();
  await serviceStubs.leave();
});
afterAll(() => gateway.stop());

/** Starts an app with routes that wait for `held`, and with the gateway's route for undoing a change. */
async function startApp(answerTimes?: Parameters<typeof countLateAnswers>[1]): Promise<string> {
  const limits = new RateLimits(gateway.app.get(GatewayConfig), gateway.app.get(Bus));
  const module = {
    module: class {},
    controllers: [AccountChangesController, HeldController],
    providers: [
      { provide: Bus, useValue: gateway.app.get(Bus) },
      { provide: RateLimits, useValue: limits },
    ],
  };
  app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), { logger: false });
  app.useGlobalFilters(new ProblemFilter());
  countLateAnswers(app, answerTimes);
  limitRates(app);
  await app.listen(0, '127.0.0.1');
  return app.getUrl();
}

const late = (kind: 'read' | 'write') =>
  count.mock.calls.filter(
    ([metric, labels]) =>
      metric === telemetry.metrics.answersLate && labels?.[telemetry.attributes.answerKind] === kind,
  ).length;

const post = (url: string, body = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('undoing a change of an account is not late when any other write would be', async () => {
  const url = await startApp({ page: 10, read: 2 * shortMs, write: shortMs });
  const service = await serviceStubs.hold(identity.undoChange, () => ({}));
  const undone = post(`${url}/api/account-changes/undo`, { token: 'x'.repeat(43) });
  await waitFor(() => expect(service.asked).toHaveLength(1));
  // When the read counts as late, a usual write from the same time would count too. The undo route has a longer limit.
  const read = fetch(`${url}/held`);
  await waitFor(() => expect(late('read')).toBe(1));
  expect(late('write')).toBe(0);
  service.release();
  held.resolve();
  expect((await undone).status).toBe(204);
  expect((await read).status).toBe(200);
});

test.each(['limited-first', 'limited-last'])(
  'a route may have a rate limit and a response limit, in any order (%s)',
  async (route) => {
    const url = `${await startApp()}/held/${route}`;
    const first = post(url);
    await waitFor(() => expect(late('write')).toBe(1));
    held.resolve();
    expect((await first).status).toBe(201);
    expect((await post(url)).status).toBe(429);
  },
);
