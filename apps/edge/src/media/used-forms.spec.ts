import type { Bus } from '@stoa/messaging';
import { expect, it } from '@jest/globals';
import type { EdgeConfig } from '../edge.config.ts';
import { UsedForms } from './used-forms.ts';

it('still refuses a used form after 60,000 posts with invented keys', () => {
  const forms = new UsedForms({ DEVICE_KEY: 'a key of the tests alone' } as EdgeConfig, {} as Bus);
  forms.hold('u/one/file').count();
  for (let invented = 0; invented < 60_000; invented += 1) forms.hold(`u/two/${invented}`).release();
  expect(forms.hold('u/one/file').allowed).toBe(false);
});
