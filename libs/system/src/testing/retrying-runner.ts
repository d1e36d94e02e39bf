import jestRunner, { type Test, type TestEvents } from 'jest-runner';

// The package's types describe what `require` gives; its ES module exports the class itself.
const TestRunner = jestRunner as unknown as typeof jestRunner.default;

type TestResult = TestEvents['test-file-success'][1];
type Watcher = Parameters<InstanceType<typeof TestRunner>['runTests']>[1];
type Options = Parameters<InstanceType<typeof TestRunner>['runTests']>[2];
type Listener<Name extends keyof TestEvents> = (data: TestEvents[Name]) => void | Promise<void>;

/**
 * Runs a file whose tests failed once more, from its beginning and after all others, and reports that second run alone.
 * A test that passes only then counts two invocations, as after `jest.retryTimes`; that one tries a test among what its
 * first try left behind.
 */
export default class RetryingRunner extends TestRunner {
  readonly #failed = new Map<Test, ReadonlySet<string>>();
  #retrying = false;

  override async runTests(tests: Test[], watcher: Watcher, options: Options): Promise<void> {
    await super.runTests(tests, watcher, options);
    if (this.#failed.size === 0 || watcher.isInterrupted()) return;
    this.#retrying = true;
    // In a process of its own, as before: one that ends its process must not end this one.
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

  /** Keeps a failed file for its second run; answers whether it did. */
  #holdFailed(test: Test, result: TestResult): boolean {
    if (result.numFailingTests === 0 && !result.testExecError) return false;
    const failed = result.testResults.filter(({ status }) => status === 'failed');
    this.#hold(test, new Set(failed.map(({ fullName }) => fullName)), result.failureMessage ?? '');
    return true;
  }

  /** A file that could not even be loaded at first counts as retried in all of its tests. */
  #markRetried(test: Test, result: TestResult): void {
    const titles = this.#failed.get(test);
    for (const each of result.testResults)
      if (!titles?.size || titles.has(each.fullName)) each.invocations = 2;
  }

  #hold(test: Test, titles: ReadonlySet<string>, message: string): void {
    this.#failed.set(test, titles);
    process.stderr.write(`Failed, and runs once more at the end: ${test.path}\n${message}\n`);
  }
}
