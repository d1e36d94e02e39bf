import { seed } from './seed.ts';
import { Problem, settingsFromEnvironment } from './settings.ts';

try {
  await seed({ ...settingsFromEnvironment(process.env), log: (line) => console.log(line) });
} catch (error) {
  console.error(error instanceof Problem ? error.message : `Seeding stopped: ${explain(error)}`);
  process.exitCode = 1;
}

/** Prints `cause`, into which fetch puts the reason of a failed connection. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
