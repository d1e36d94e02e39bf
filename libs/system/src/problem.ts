/** An expected failure. Its message is one sentence with the way out and is shown without a stack. */
export class Problem extends Error {
  override readonly name = 'Problem';
}

/** The sentence for an error that a full disk caused, or undefined. */
export function diskFull(error: unknown, text = ''): Problem | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code !== 'ENOSPC' && !/no space left on device|ENOSPC/i.test(text)) return undefined;
  return new Problem(
    'The disk is full: free some space (about 6 GB are needed) and run the same command again.',
  );
}

/** What to print for any error: a sentence for expected ones, the stack for the rest. */
export function explain(error: unknown): string {
  if (error instanceof Problem) return error.message;
  const full = diskFull(error, String(error));
  if (full) return full.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
