import { waitFor } from '@stoa/system';
import { setTimeout as pause } from 'node:timers/promises';
import { randomNumbers } from '../fault-drill/fault-plan.ts';
import { controlProcess, pidOf } from '../process-control.ts';
import { tablesWith } from '../remains.ts';
import {
  deletionOf,
  type Deletion,
  erasing,
  flawsOf,
  type Leaver,
  requestDeletion,
  tryNow,
} from './leaver.ts';

/** The steps of a deletion: each waits for one part, and is held there by pausing that part. */
export const steps = ['remove', 'announce', ...erasing, 'receipt'] as const;
export type Step = (typeof steps)[number];

/** Edge and gateway have no part in it once it is asked for: what is shown of them is that it does not need them. */
export const parts = [
  'nats',
  'postgres',
  'keycloak',
  'minio',
  'mail',
  'identity',
  ...erasing,
  'gateway',
  'edge',
] as const;
export type Part = (typeof parts)[number];

/** A part that is killed while a step is under way. */
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
/** Of it Keycloak takes half for its start, on a busy machine. */
const completeMs = 180_000;
/** Longer than the lease of a removal that was cut short: what is left to remove is taken up after it. */
const settleMs = 90_000;
const betweenMs = 100;

/** Every step with every part, in the order of a seed. */
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
  if (step === 'receipt') return removed && erased.length === erasing.length && attempts > 0;
  return removed && erased.length === erasing.length - 1 && !erased.includes(step);
};

/** Waits until the deletion's own record says that it waits at this step. */
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

/** Asks for the deletion, and holds it at the step. */
async function holdAt(leaver: Leaver, step: Step): Promise<void> {
  if (step !== 'announce') {
    await controlProcess('pause', holderOf[step]);
    await requestDeletion(leaver);
    return reached(leaver, step);
  }
  // NATS carries the request as well: it is held once the request has been taken.
  await controlProcess('pause', holderOf.remove);
  await requestDeletion(leaver);
  await reached(leaver, 'remove');
  await controlProcess('pause', holderOf.announce);
  await controlProcess('resume', holderOf.remove);
  await tryNow();
  await reached(leaver, step);
  const isRecorded = async () => {
    if (!(await tablesWith([leaver.uid])).includes('identity.outbox'))
      throw new Error('Nothing is announced.');
  };
  await waitFor(isRecorded, { timeout: stepMs, interval: betweenMs });
}

/** Kills a part, and waits until another process stands in its place. */
async function kill(part: Part): Promise<void> {
  const before = await pidOf(part);
  await controlProcess('kill', part);
  await waitFor(
    async () => {
      if ([null, before].includes(await pidOf(part))) throw new Error(`${part} is not started again.`);
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
    // What it asks may itself be coming back.
    await tryNow().catch(() => undefined);
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

/** Kills the part at the step, and answers what is wrong with the deletion once it is over. */
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
    const flaws = await flawsOf(leaver).catch((error: unknown) => [String(error)]);
    if (flaws.length === 0 || performance.now() - since > settleMs) return flaws;
    await pause(betweenMs);
  }
}
