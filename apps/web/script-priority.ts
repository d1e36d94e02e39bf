import type { Plugin } from 'vite';

/** Words first: a page is there before its scripts, which then do not take the network from styles and fonts. */
export function scriptPriority(): Plugin {
  return {
    name: 'script-priority',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replaceAll('<script type="module"', '<script type="module" fetchpriority="low"'),
    },
  };
}
