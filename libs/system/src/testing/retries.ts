import { jest } from '@jest/globals';

// Loaded by jest-preset in whole runs only. What the first try said is logged, and the test is reported as flaky.
jest.retryTimes(Number(process.env.STOA_TEST_RETRIES), { logErrorsBeforeRetry: true });
