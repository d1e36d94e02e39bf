import jestRunner, { type Test, type TestEvents } from 'jest-runner';

// The package's types describe its CommonJS export; its ES module exports the class itself.
const TestRunner = jestRunner as unknown as typeof jestRunner.default;

type TestResult = TestEvents['test-file-success'][1];
type Watcher = Parameters<InstanceType<typeof TestRunner>['runTests']>[1];
type Options = Parameters<InstanceType<typeof TestRunner>['runTests']>[2];
type Listener<Name extends keyof TestEvents> = (data: TestEvents[Name]) => void | Promise<void>;

/**
 * Runs each failed test file a second time, after all others, and reports only the second run. A test that
 * passes only then counts as two invocations, as with `jest.retryTimes`. That function repeats a single test,
 * in the state that its first run left behind.
 */
export default class RetryingRunner extends TestRunner {
  readonly #failed = new Map<Test, ReadonlySet<string>>();
  #retrying = false;

  override async runTests(tests: Test[], watcher: Watcher, options: Options): Promise<void> {
    await super.runTests(tests, watcher, options);
    if (this.#failed.size === 0 || watcher.isInterrupted()) return;
    this.#retrying = true;
    // Runs the file again in a process of its own, which the test may end.
    for (const test of this.#failed.keys()) await super.runTests([test], watcher, options);
  }

  override on<Name extends keyof TestEvents>(name: Name, listener: Listener<Name>): () => void {
    if (name === 'test-file-success')
      return super.on(name, (data) => {
        const [test, result] = data as TestEvents['test-file-success'];
        if (this.#retrying) this.#markRetried(test, result);
        else if (this.#holdFailed(test, result)) return;
        return listener(data);
      });
    if (name === 'test-file-failure')
      return super.on(name, (data) => {
        const [test, error] = data as TestEvents['test-file-failure'];
        if (this.#retrying) return listener(data);
        this.#hold(test, new Set(), String(error.stack ?? error.message));
      });
    return super.on(name, listener);
  }

  /** Keeps a failed file for its second run; returns whether it did. */
  #holdFailed(test: Test, result: TestResult): boolean {
    if (result.numFailingTests === 0 && !result.testExecError) return false;
    const failed = result.testResults.filter(({ status }) => status === 'failed');
    this.#hold(test, new Set(failed.map(({ fullName }) => fullName)), result.failureMessage ?? '');
    return true;
  }

  /** If a file could not be loaded at first, all its tests count as retried. */
  #markRetried(test: Test, result: TestResult): void {
    const titles = this.#failed.get(test);
    for (const each of result.testResults)
      if (!titles?.size || titles.has(each.fullName)) each.invocations = 2;
  }

  #hold(test: Test, titles: ReadonlySet<string>, message: string): void {
    this.#failed.set(test, titles);
    process.stderr.write(`Failed, is repeated at the end: ${test.path}\n${message}\n`);
  }
}
