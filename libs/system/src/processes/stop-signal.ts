/**
 * Resolves with the reason when this process is asked to end: Ctrl-C, SIGTERM, a closed terminal, or the
 * death of the process that started it. Asked twice, it does not wait for order any more.
 */
export function stopRequested(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let asked = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // The watchdog ends the children.
      if (asked && signal === 'SIGINT') process.exit(130);
      asked = true;
      resolve(signal);
    });
  }
  process.once('disconnect', () => resolve('the command that started it ended'));
  return promise;
}
