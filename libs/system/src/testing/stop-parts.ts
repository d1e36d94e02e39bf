// Jest loads setup and teardown separately; only the global object is common to both.
const shared = globalThis as { stopParts?: () => Promise<void> };

/** A global setup registers here how to stop what it has started. */
export function stopAfterTests(stop: () => Promise<void>): void {
  shared.stopParts = stop;
}

/** The part of Jest's global configuration that is used here. */
interface Watching {
  readonly watch: boolean;
  readonly watchAll: boolean;
}

const endsWithinMs = 60_000;

/** Jest's global teardown: stops the parts that the global setup has started. */
export default async function teardown({ watch, watchAll }: Watching): Promise<void> {
  await shared.stopParts?.();
  if (watch || watchAll) return;
  // Unit tests must end by themselves; an open handle of one test must not block a whole run.
  setTimeout(() => {
    console.error('The tests are over, but an open handle keeps their process alive.');
    process.exit(1);
  }, endsWithinMs).unref();
}
