import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate, startApps } from '@stoa/system/apps/system';
import { openDataFolder, startPartsUnder } from '@stoa/system/parts/start-parts';
import { cacheFolder, stateFolder } from '@stoa/system/paths';
import { explain, Problem } from '@stoa/system/problem';
import { endRunning } from '@stoa/system/processes/run';
import { stopRequested } from '@stoa/system/processes/stop-signal';
import { stopOrder } from '@stoa/system/processes/stop-order';
import { createReporter, type Reporter } from '@stoa/system/progress';
import { partNames } from '@stoa/system/settings/names';
import { freePorts } from '@stoa/system/settings/ports';
import { runChecks } from '../testing/check.ts';
import { fileChecks, migrationChecks, claimChecks } from '../testing/checks.ts';
import { serveControl } from '@stoa/system/testing/control-server';
import { prepareEngines } from '../testing/engines.ts';
import { drills, journeys, runBrowserTests, runOnSmallDisks } from '../testing/journeys.ts';
import { partOf, runChosenBrowserTests } from '../testing/parts-of-test.ts';
import { readSelection } from '../testing/selection.ts';
import { clearReports, failedTests, flakyTests } from '../testing/reports.ts';
import { runStage } from '../testing/stage.ts';
import { add, type Tally } from '../testing/tally.ts';
import { testEnvironment } from '@stoa/system/testing/test-environment';

/** Runs every check and test, or the selected ones, on parts of their own. Prints how many passed. */
export async function test(args: string[]): Promise<number> {
  const selection = readSelection(args);
  if (selection.kind === 'browser') return runChosenBrowserTests(selection);
  const reporter = createReporter();
  const workplace = openDataFolder(undefined, reporter.line);
  // Tools put temporary files into this folder, which is removed at the end.
  process.env.TMPDIR = workplace.dir;
  process.env.XDG_DATA_HOME = join(cacheFolder, 'home/data');
  const total: Tally = { passed: 0, failed: 0 };
  const run = selection.kind === 'all' ? stages : partOf(selection);
  const stopped = stopRequested();
  try {
    const reason = await Promise.race([run(reporter, workplace, total), stopped]);
    if (typeof reason === 'string') throw new Problem(`Stopped (${reason}).`);
  } catch (error) {
    total.failed += 1;
    reporter.endTasks();
    reporter.line(explain(error));
  } finally {
    endRunning();
    await workplace.close();
  }
  // Repeats failures at the end, because often only the end of a long log is kept.
  for (const name of [...(total.failures ?? []), ...failedTests()]) console.log(`Failed: ${name}`);
  const flaky = flakyTests();
  for (const name of flaky) console.log(`Passed only on retry: ${name}`);
  const skipped = total.skipped ? `, ${total.skipped} skipped` : '';
  console.log(
    `${total.passed} passed, ${total.failed} failed${skipped}${flaky.length > 0 ? `, ${flaky.length} flaky` : ''}`,
  );
  return total.failed > 0 ? 1 : 0;
}

type Workplace = ReturnType<typeof openDataFolder>;

async function stages(reporter: Reporter, workplace: Workplace, total: Tally): Promise<void> {
  const count = async (part: Promise<Tally>) => add(total, await part);
  clearReports();
  const ports = await freePorts();
  const starting = startPartsUnder({
    ...workplace,
    ports,
    only: partNames,
    temporary: true,
    after: { postgres: (description) => migrate(description, reporter) },
  });
  // Errors of the parts are reported after the checks, which need no parts.
  starting.catch(() => undefined);
  await Promise.all([
    count(runStage(reporter, 'Code', ['run-many', '-t', 'lint', 'typecheck', 'unit', 'build'])),
    count(runChecks(reporter, fileChecks(workplace.dir, reporter.line))),
    prepareEngines(reporter),
  ]);

  const { parts, control, stop } = await starting;
  const controlServer = await serveControl(control);
  const file = join(workplace.dir, 'parts.json');
  writeFileSync(file, JSON.stringify({ ...parts, control: controlServer.address }), { mode: 0o600 });
  const retrying = { STOA_TEST_RETRIES: '1' };
  // An empty variable keeps the tests from attaching to the system of `npm run dev`.
  const ownParts = { ...retrying, STOA_TEST_PARTS: '' };
  const env = { ...retrying, STOA_TEST_PARTS: file, SITE_URL: parts.siteUrl };
  const output = join(stateFolder, 'test-results');
  await Promise.all([
    startApps({ ...workplace, ports, overrides: testEnvironment(ports) }, parts),
    count(runChecks(reporter, migrationChecks(parts))),
  ]);
  await count(runBrowserTests(reporter, env, output, journeys));
  const runDrills = async () => {
    await count(runBrowserTests(reporter, env, output, drills));
    controlServer.close();
    // Ends the parts, because the next tests start a system of their own, and the disks of the parts occupy
    // memory.
    await workplace.supervisor.close(stopOrder);
    await stop();
    await count(runOnSmallDisks(reporter, retrying, output));
  };
  // Drills mostly wait, so contract tests run beside them. Those start parts of their own, which drills do
  // not stop.
  await Promise.all([
    runDrills(),
    count(runStage(reporter, 'Contracts', ['run-many', '-t', 'contract', '--parallel=3'], ownParts)),
  ]);
  await count(runChecks(reporter, claimChecks(reporter.line)));
}
