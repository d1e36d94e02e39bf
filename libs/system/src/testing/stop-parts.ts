// Jest loads its setup and its teardown apart from one another, so nothing but the global object is common to them.
const shared = globalThis as { stopParts?: () => Promise<void> };

/** Called by a global setup: how to stop what it has started. */
export function stopAfterTests(stop: () => Promise<void>): void {
  shared.stopParts = stop;
}

/** Of Jest's global configuration. */
interface Watching {
  readonly watch: boolean;
  readonly watchAll: boolean;
}

const endsWithinMs = 60_000;

/** Jest's global teardown: stops the parts that its global setup has started, if any. */
export default async function teardown({ watch, watchAll }: Watching): Promise<void> {
  await shared.stopParts?.();
  if (watch || watchAll) return;
  // Unit tests have to end by themselves; what one of them left open must not hold up a whole run.
  setTimeout(() => {
    console.error('The tests are over, but something that they opened keeps their process alive.');
    process.exit(1);
  }, endsWithinMs).unref();
}
