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

// How fast a page is depends on the machine: `npm run stoa lighthouse` measures that, no test asserts it.
const asserted = categories.filter((category) => category !== 'performance');

test('Lighthouse scores 100 for accessibility, best practices and SEO', async () => {
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
