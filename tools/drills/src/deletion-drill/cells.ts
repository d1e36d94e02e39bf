import { waitFor } from '@stoa/system';
import { setTimeout as pause } from 'node:timers/promises';
import { randomNumbers } from '../fault-drill/fault-plan.ts';
import { controlProcess, runOf } from '@stoa/e2e/process-control';
import { tablesWith } from '@stoa/e2e/remains';
import {
  deletionOf,
  type Deletion,
  erasingServices,
  deletionFaults,
  type Leaver,
  requestDeletion,
  retryDeletionsNow,
} from '@stoa/e2e/leaver';

/** The steps of a deletion: each waits for one part, and pausing that part holds the deletion there. */
export const steps = ['remove', 'announce', ...erasingServices, 'receipt'] as const;
export type Step = (typeof steps)[number];

/** The parts to kill. Edge and gateway take no part after the request, so killing them must have no effect. */
export const parts = [
  'nats',
  'postgres',
  'keycloak',
  'minio',
  'mail',
  'identity',
  ...erasingServices,
  'gateway',
  'edge',
] as const;
export type Part = (typeof parts)[number];

/** One experiment: a part that is killed during a step. */
export interface Cell {
  readonly step: Step;
  readonly part: Part;
}

const holderOf: Record<Step, string> = {
  remove: 'keycloak',
  announce: 'nats',
  creators: 'creators',
  offerings: 'offerings',
  media: 'media',
  contact: 'contact',
  receipt: 'mail',
};

const stepMs = 60_000;
/** Milliseconds for a deletion to complete. On a busy machine Keycloak's start takes half of this. */
const completeMs = 180_000;
/** Milliseconds for the removal of objects, longer than the lease of an interrupted removal. */
const settleMs = 90_000;
const betweenMs = 100;

/** All combinations of step and part, in an order given by the seed. */
export function planCells(seed: number): Cell[] {
  const random = randomNumbers(seed);
  const all = steps.flatMap((step) => parts.map((part) => ({ step, part })));
  return all
    .map((cell) => ({ cell, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ cell }) => cell);
}

const isAt = (step: Step, { removed, erased, finished, attempts }: Deletion): boolean => {
  if (finished) return false;
  if (step === 'remove') return !removed && attempts > 0;
  if (step === 'announce') return removed && erased.length === 0;
  if (step === 'receipt') return removed && erased.length === erasingServices.length && attempts > 0;
  return removed && erased.length === erasingServices.length - 1 && !erased.includes(step);
};

/** Waits until the deletion's own record shows that it waits at this step. */
async function reached(leaver: Leaver, step: Step): Promise<void> {
  await waitFor(
    async () => {
      const deletion = await deletionOf(leaver);
      if (!deletion || !isAt(step, deletion))
        throw new Error(`The step ${step} is not reached: ${JSON.stringify(deletion)}`);
    },
    { timeout: stepMs, interval: betweenMs },
  );
}

/** Requests the deletion, and holds it at the step. */
async function holdAt(leaver: Leaver, step: Step): Promise<void> {
  if (step !== 'announce') {
    await controlProcess('pause', holderOf[step]);
    await requestDeletion(leaver);
    return reached(leaver, step);
  }
  // Pauses NATS only after the request was taken, because NATS also carries the request.
  await controlProcess('pause', holderOf.remove);
  await requestDeletion(leaver);
  await reached(leaver, 'remove');
  await controlProcess('pause', holderOf.announce);
  await controlProcess('resume', holderOf.remove);
  await retryDeletionsNow();
  await reached(leaver, step);
  const isRecorded = async () => {
    if (!(await tablesWith([leaver.uid])).includes('identity.outbox'))
      throw new Error('Nothing is announced.');
  };
  await waitFor(isRecorded, { timeout: stepMs, interval: betweenMs });
}

/** Kills a part, and waits until a new process has replaced it. */
async function kill(part: Part): Promise<void> {
  const before = await runOf(part);
  await controlProcess('crash', part);
  await waitFor(
    async () => {
      if ([null, before].includes(await runOf(part))) throw new Error(`${part} is not started again.`);
    },
    { timeout: stepMs, interval: 25 },
  );
}

async function resumeAll(): Promise<void> {
  await Promise.allSettled(Object.values(holderOf).map((name) => controlProcess('resume', name)));
}

async function completed(leaver: Leaver): Promise<boolean> {
  const until = performance.now() + completeMs;
  while (performance.now() < until) {
    // Ignores a failure, because the database may not be back yet.
    await retryDeletionsNow().catch(() => undefined);
    if (
      await deletionOf(leaver).then(
        (deletion) => deletion?.finished,
        () => false,
      )
    )
      return true;
    await pause(betweenMs);
  }
  return false;
}

/** Kills the part at the step. Resolves to the flaws of the completed deletion. */
export async function runCell(leaver: Leaver, { step, part }: Cell): Promise<string[]> {
  try {
    await holdAt(leaver, step);
    await kill(part);
  } finally {
    await resumeAll();
  }
  if (!(await completed(leaver))) return [`it is not completed: ${JSON.stringify(await deletionOf(leaver))}`];
  const since = performance.now();
  for (;;) {
    const flaws = await deletionFaults(leaver).catch((error: unknown) => [String(error)]);
    if (flaws.length === 0 || performance.now() - since > settleMs) return flaws;
    await pause(betweenMs);
  }
}
