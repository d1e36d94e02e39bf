import { type DeadLetter, DeadLetters } from '@stoa/system/operations/dead-letters';
import { explain, Problem } from '@stoa/system/problem';
import { parseArgs } from 'node:util';
import { describedParts } from './described-parts.ts';

/** Each action returns the ids of the letters that it removed. */
const does = {
  replay: (letters: DeadLetters, id: string) => letters.replay(id),
  drop: async (letters: DeadLetters, id: string) => {
    await letters.drop(id);
    return [id];
  },
};

/**
 * Lists, shows, replays or drops dead letters of `npm start`, or of the parts that environment variables
 * describe.
 */
export async function deadLetters(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { all: { type: 'boolean' } },
  });
  const [action = 'list', ...named] = positionals;
  const letters = await DeadLetters.open(describedParts());
  try {
    if (action === 'list') return await list(letters);
    if (action === 'show') return await show(letters, named);
    if (action !== 'replay' && action !== 'drop')
      throw new Problem(`dead-letters cannot ${action}: it can list, show, replay and drop.`);
    if ((values.all ?? false) === named.length > 0)
      throw new Problem(`Name the letters to ${action}, or use --all.`);
    const ids = values.all ? await allOf(letters) : named;
    const removed = new Set<string>();
    return await each(ids, async (id) => {
      if (removed.has(id)) return;
      for (const one of await does[action](letters, id)) {
        removed.add(one);
        console.log(`${one}: ${action === 'drop' ? 'removed' : 'replayed'}`);
      }
    });
  } finally {
    await letters.close();
  }
}

async function allOf(letters: DeadLetters): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of letters.list()) ids.push(id);
  return ids;
}

/** Prints no payloads, because they may contain personal data. */
async function list(letters: DeadLetters): Promise<number> {
  let count = 0;
  for await (const letter of letters.list()) {
    count += 1;
    console.log(line(letter));
  }
  if (count === 0) console.log('There are no dead letters.');
  return 0;
}

const line = ({ id, service, subject, at, reason }: DeadLetter) =>
  [id.padEnd(14), at.toISOString(), service.padEnd(10), subject.padEnd(30), firstLine(reason)].join(' ');

const firstLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 120);

const show = (letters: DeadLetters, ids: string[]) =>
  each(ids, async (id) => console.log(JSON.stringify(await letters.find(id), null, 2)));

/** Continues after a failed letter, prints its error and returns 1. */
async function each(ids: readonly string[], work: (id: string) => Promise<void>): Promise<number> {
  let code = 0;
  for (const id of ids) {
    await work(id).catch((error: unknown) => {
      console.error(explain(error));
      code = 1;
    });
  }
  return code;
}
