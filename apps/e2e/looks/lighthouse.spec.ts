import { makeFullCreator } from '../src/creators.ts';
import {
  categories,
  failedAudits,
  launchWithDebuggingPort,
  measure,
  measuredPages,
} from '../src/lighthouse/measure.ts';
import { siteUrl } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

// The speed depends on the machine, so this test does not check it. `npm run stoa lighthouse` measures it.
const asserted = categories.filter((category) => category !== 'performance');

test('Lighthouse scores 100 for accessibility, best practices and SEO [e2e-172]', async () => {
  test.setTimeout(240_000);
  const { username, slug } = await makeFullCreator();
  const { browser, port } = await launchWithDebuggingPort();
  try {
    for (const path of measuredPages(username, slug)) {
      const result = await measure(`${siteUrl()}${path}`, port, asserted);
      for (const category of asserted) {
        expect.soft(failedAudits(result, category), `${path}, ${category}`).toEqual([]);
        expect.soft(result.categories[category]?.score, `${path}, ${category}`).toBe(1);
      }
    }
  } finally {
    await browser.close();
  }
});
