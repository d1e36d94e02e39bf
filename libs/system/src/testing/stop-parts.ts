// Jest loads its setup and its teardown apart from one another, so nothing but the global object is common to them.
const shared = globalThis as { stopParts?: () => Promise<void> };

/** Called by a global setup: how to stop what it has started. */
export function stopAfterTests(stop: () => Promise<void>): void {
  shared.stopParts = stop;
}

/** Jest's global teardown: stops the parts that its global setup has started, if any. */
export default async function teardown(): Promise<void> {
  await shared.stopParts?.();
}
