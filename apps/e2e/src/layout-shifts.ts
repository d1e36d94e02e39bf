import type { Page } from '@playwright/test';
import { expect } from './test.ts';

interface Movement {
  /** The Cumulative Layout Shift (CLS) of the page. */
  sum: number;
  /** The elements that moved, with their old and new positions. */
  parts: string[];
}

/** All layout shifts since the page began to load. */
const movement = (page: Page): Promise<Movement> =>
  page.evaluate(
    () =>
      new Promise<Movement>((resolve) => {
        const moved: Movement = { sum: 0, parts: [] };
        const place = ({ x, y, width, height }: DOMRectReadOnly) => `${x},${y} ${width}×${height}`;
        const count = (entries: PerformanceEntryList) => {
          for (const entry of entries as LayoutShift[]) {
            moved.sum += entry.value;
            for (const { node, previousRect, currentRect } of entry.sources) {
              const name = node instanceof Element ? node.outerHTML : node?.textContent;
              moved.parts.push(`${place(previousRect)} → ${place(currentRect)}: ${name?.slice(0, 120)}`);
            }
          }
        };
        const observer = new PerformanceObserver((list) => count(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        const end = () => {
          // The observer may not have delivered the shifts of the last frames yet.
          count(observer.takeRecords());
          observer.disconnect();
          resolve(moved);
        };
        requestAnimationFrame(() => requestAnimationFrame(end));
      }),
  );

/** Expects a CLS below `most`. Names the elements that moved otherwise. */
export async function expectStill(page: Page, name: string, most: number): Promise<void> {
  const { sum, parts } = await movement(page);
  expect.soft(sum, [name, ...parts].join('\n')).toBeLessThan(most);
}

/** TypeScript's DOM types lack this one: https://wicg.github.io/layout-instability/ */
interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}
