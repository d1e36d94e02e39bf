// Measures what visitors and creators see while one part hangs or is away: `npm run stoa drill outage`.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fetchApi } from '@stoa/e2e/api';
import { longestWaitMs } from '../longest-waits.ts';
import { makeCreator, makeOffering } from '@stoa/e2e/creators';
import { controlProcess } from '@stoa/e2e/process-control';

const { values } = parseArgs({
  options: {
    part: { type: 'string', multiple: true, default: ['nats'] },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '20' },
  },
});
const outageMs = Number(values.seconds) * 1000;
const betweenMs = 1000 / Number(values.rate);
const warmUpMs = 3000;
const givenUpMs = 30_000;
/** The longest wait for a page or a cached public read during an outage. */
const longestReadMs = longestWaitMs.page;
/** From the return of the part until all calls are answered again. */
const longestReturnMs = 3000;

const kinds = ['known page', 'known read', 'unknown page', 'own read'] as const;
type Kind = (typeof kinds)[number];

interface Answer {
  readonly kind: Kind;
  readonly status: number;
  readonly ms: number;
}

type Calls = readonly (() => Promise<Answer>)[];

/** Calls of a new creator, whose log-in of five minutes outlasts the outage. */
async function callsOfNewCreator(): Promise<Calls> {
  const { username, token } = await makeCreator();
  await makeOffering(token, { title: 'A column' });
  return [
    () => timed('known page', `/profile/${username}`),
    () => timed('known page', '/browse-creators'),
    () => timed('known read', `/api/creators/${username}`),
    () => timed('known read', `/api/creators/${username}/offerings`),
    () => timed('unknown page', `/profile/nobody-${randomUUID().slice(0, 8)}`),
    () => timed('own read', '/api/me/offerings', token),
  ];
}

async function timed(kind: Kind, path: string, of?: string): Promise<Answer> {
  const since = performance.now();
  const status = await fetchApi('GET', path, of === undefined ? {} : { token: of }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );
  return { kind, status, ms: performance.now() - since };
}

/** Sends calls at a steady rate for this time, independent of their answers. */
async function sendFor(calls: Calls, ms: number): Promise<Answer[]> {
  const begun = performance.now();
  const sent: Promise<Answer>[] = [];
  for (let due = 0; due * betweenMs < ms; due += 1) {
    const wait = begun + due * betweenMs - performance.now();
    if (wait > 1) await pause(wait);
    const call = calls[due % calls.length];
    if (call) sent.push(call());
  }
  return Promise.all(sent);
}

/** Milliseconds until all calls are answered again. */
async function untilBack(calls: Calls): Promise<number> {
  const since = performance.now();
  while (performance.now() - since < givenUpMs) {
    const answers = await Promise.all(calls.map((call) => call()));
    if (answers.every(({ status }) => status > 0 && status < 500)) return performance.now() - since;
    await pause(50);
  }
  throw new Error('It did not come back.');
}

function printAnswers(answers: readonly Answer[]): void {
  for (const kind of kinds) {
    const all = answers.filter((answer) => answer.kind === kind);
    const sorted = all.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
    const statuses = Object.entries(Object.groupBy(all, ({ status }) => status)).map(
      ([status, of]) => `${of?.length} × ${status}`,
    );
    console.log(
      `  ${kind}: ${statuses.join(', ')}; median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`,
    );
  }
}

/** The missed expectations of an outage. */
function missedBy(answers: readonly Answer[], backMs: number): string[] {
  const failed = answers.filter(({ kind, status }) => kind.startsWith('known') && status !== 200);
  const strange = answers.filter(({ status }) => status >= 500 && status !== 503 && status !== 504);
  const late = answers.filter(({ kind, ms }) => kind !== 'own read' && ms > longestReadMs);
  return [
    failed.length > 0 && `${failed.length} known reads were not answered 200`,
    strange.length > 0 && `${strange.length} answers were a 5xx other than 503 and 504`,
    late.length > 0 && `${late.length} public reads took longer than ${longestReadMs} ms`,
    backMs > longestReturnMs && `all was answered only ${Math.round(backMs)} ms after its return`,
  ].filter((missed) => missed !== false);
}

let isMissed = false;
for (const part of values.part)
  for (const how of ['pause', 'stop'] as const) {
    const calls = await callsOfNewCreator();
    await sendFor(calls, warmUpMs);
    await controlProcess(how, part);
    const answers = await sendFor(calls, outageMs).finally(() =>
      controlProcess(how === 'pause' ? 'resume' : 'start', part),
    );
    const backMs = await untilBack(calls);
    console.log(`${part} ${how === 'pause' ? 'hung' : 'away'} for ${values.seconds} s`);
    printAnswers(answers);
    console.log(`  all answered again after ${(backMs / 1000).toFixed(1)} s`);
    const missed = missedBy(answers, backMs);
    for (const what of missed) console.log(`  MISSED: ${what}`);
    isMissed ||= missed.length > 0;
  }
process.exit(isMissed ? 1 : 0);
