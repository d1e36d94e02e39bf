/**
 * Resolves with the reason when this process should end: Ctrl-C, SIGTERM, a closed terminal, or the end of
 * its parent. A second Ctrl-C ends it without an orderly stop.
 */
export function stopRequested(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let requested = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // Exits immediately after a second Ctrl-C; the watchdog ends the child processes.
      if (requested && signal === 'SIGINT') process.exit(130);
      requested = true;
      resolve(signal);
    });
  }
  process.once('disconnect', () => resolve('the command that started it ended'));
  return promise;
}
