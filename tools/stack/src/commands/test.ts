import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate, startApps } from '../apps/system.ts';
import { openWorkplace, startPartsUnder } from '../parts/start-parts.ts';
import { explain, Problem } from '../problem.ts';
import { endRunning } from '../processes/run.ts';
import { stopRequested } from '../processes/stop-signal.ts';
import { createReporter, type Reporter } from '../progress.ts';
import { partNames } from '../settings/names.ts';
import { freePorts } from '../settings/ports.ts';
import { runStage } from '../testing/stage.ts';
import type { Tally } from '../testing/tally.ts';

/** Runs every check and every test on parts of their own, and says how many passed. */
export async function test(): Promise<number> {
  const reporter = createReporter();
  const workplace = openWorkplace(undefined, (line) => reporter.line(line));
  // Whatever a tool leaves in the folder for temporary files goes with ours.
  process.env.TMPDIR = workplace.dir;
  const total: Tally = { passed: 0, failed: 0 };
  const stopped = stopRequested();
  try {
    const reason = await Promise.race([stages(reporter, workplace, total), stopped]);
    if (typeof reason === 'string') throw new Problem(`Stopped (${reason}).`);
  } catch (error) {
    total.failed += 1;
    reporter.line(explain(error));
  } finally {
    endRunning();
    await workplace.close();
  }
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 ? 1 : 0;
}

async function stages(
  reporter: Reporter,
  workplace: ReturnType<typeof openWorkplace>,
  total: Tally,
): Promise<void> {
  const stage = async (title: string, args: string[], env: NodeJS.ProcessEnv = {}) => {
    const { passed, failed } = await runStage(reporter, title, args, env);
    total.passed += passed;
    total.failed += failed;
  };
  const ports = await freePorts();
  const starting = startPartsUnder({
    ...workplace,
    ports,
    only: partNames,
    temporary: true,
    after: { postgres: (description) => migrate(description, reporter) },
  });
  starting.catch(() => undefined);
  await stage('Checks', ['run-many', '-t', 'lint', 'typecheck', 'unit', 'build']);

  const { parts } = await starting;
  const file = join(workplace.dir, 'parts.json');
  writeFileSync(file, JSON.stringify(parts), { mode: 0o600 });
  const env = { STOA_TEST_PARTS: file, SITE_URL: parts.siteUrl };
  // One at a time: they share the parts, and two cores.
  await stage('Contracts', ['run-many', '-t', 'contract', '--parallel=1'], env);

  await startApps({ ...workplace, ports }, parts);
  await stage('Journeys', ['run-many', '-t', 'e2e', '--parallel=1'], env);
}
