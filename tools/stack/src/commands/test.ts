import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate, startApps } from '../apps/system.ts';
import { openWorkplace, startPartsUnder } from '../parts/start-parts.ts';
import { inRepository } from '../paths.ts';
import { explain, Problem } from '../problem.ts';
import { CommandFailed, endRunning, run } from '../processes/run.ts';
import { stopRequested } from '../processes/stop-signal.ts';
import { createReporter, type Reporter } from '../progress.ts';
import { partNames } from '../settings/names.ts';
import { freePorts } from '../settings/ports.ts';
import { serveControl } from '../testing/control-server.ts';
import { runStage } from '../testing/stage.ts';
import type { Tally } from '../testing/tally.ts';
import { testEnvironment } from '../testing/test-environment.ts';

interface TestRun {
  workplace: ReturnType<typeof openWorkplace>;
  /** What the supervisor has said; fault drills wait for it. */
  said: string[];
  reporter: Reporter;
  total: Tally;
}

/** Runs every check and every test on parts of their own, and says how many passed. */
export async function test(): Promise<number> {
  const reporter = createReporter();
  const said: string[] = [];
  const workplace = openWorkplace(undefined, (line) => {
    said.push(line);
    reporter.line(line);
  });
  // Whatever a tool leaves in the folder for temporary files goes with ours.
  process.env.TMPDIR = workplace.dir;
  const total: Tally = { passed: 0, failed: 0 };
  const stopped = stopRequested();
  try {
    const reason = await Promise.race([stages({ workplace, said, reporter, total }), stopped]);
    if (typeof reason === 'string') throw new Problem(`Stopped (${reason}).`);
  } catch (error) {
    total.failed += 1;
    reporter.endTasks();
    reporter.line(explain(error));
  } finally {
    endRunning();
    await workplace.close();
  }
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 ? 1 : 0;
}

async function stages({ workplace, said, reporter, total }: TestRun): Promise<void> {
  const add = ({ passed, failed }: Tally) => {
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
  add(await checkFormat(reporter));
  add(await runStage(reporter, 'Checks', ['run-many', '-t', 'lint', 'typecheck', 'unit', 'build'], {}));

  const { parts } = await starting;
  const file = join(workplace.dir, 'parts.json');
  const describe = (more: object) =>
    writeFileSync(file, JSON.stringify({ ...parts, ...more }), { mode: 0o600 });
  describe({});
  const env = {
    STOA_TEST_PARTS: file,
    SITE_URL: parts.siteUrl,
    STOA_E2E_OUTPUT: join(workplace.dir, 'e2e'),
  };
  // One at a time: they share the parts, and two cores.
  add(await runStage(reporter, 'Contracts', ['run-many', '-t', 'contract', '--parallel=1'], env));

  await startApps({ ...workplace, ports, overrides: testEnvironment }, parts);
  const control = await serveControl(workplace.supervisor, said);
  describe({ control: control.address });
  add(await runStage(reporter, 'Journeys', ['run-many', '-t', 'e2e', '--parallel=1'], env));
  control.close();
}

async function checkFormat(reporter: Reporter): Promise<Tally> {
  const task = reporter.task('Format', 'checking');
  try {
    await run(process.execPath, [inRepository('node_modules/.bin/prettier'), '--check', '.'], {
      cwd: inRepository(),
    });
    task.done('1 passed, 0 failed');
    return { passed: 1, failed: 0 };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    task.fail('0 passed, 1 failed');
    reporter.line(error.output);
    return { passed: 0, failed: 1 };
  }
}
