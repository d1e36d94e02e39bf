/** An expected failure. Its message is one sentence with the remedy and is shown without a stack. */
export class Problem extends Error {
  override readonly name = 'Problem';
}

/** The Problem for an error that a full disk caused; undefined for other errors. */
export function diskFull(error: unknown, text = ''): Problem | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code !== 'ENOSPC' && !/no space left on device|ENOSPC/i.test(text)) return undefined;
  return new Problem(
    'The disk is full: free some space (about 6 GB are needed) and run the same command again.',
  );
}

/** The text to print for an error: the message of a Problem, otherwise the stack. */
export function explain(error: unknown): string {
  if (error instanceof Problem) return error.message;
  const full = diskFull(error, String(error));
  if (full) return full.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
