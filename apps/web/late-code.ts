import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const moduleScript = /\s*<script type="module"[^>]*><\/script>/g;
const earlyInput = '<script src="/early-input.js"></script>';

/**
 * Puts the code into a template, which a browser does not fetch. Words and the first picture come before it: a page is whole
 * without its code, and `src/browser/begin-code.js` begins that. The gateway takes it out where there is nothing to read yet.
 *
 * Only a page whose script begins its code may have it wait. In a rollout a page and its scripts come from replicas of two
 * releases, so that script has a name by its content, which every replica serves (ADR 21). Where it does not come after all,
 * `/early-input.js` ahead of it, which every replica has on its disk, begins the code.
 */
export function lateCode(): Plugin {
  const script = readFileSync(new URL('src/browser/begin-code.js', import.meta.url), 'utf8');
  const hash = createHash('sha256').update(script).digest('base64url').slice(0, 8);
  const fileName = `assets/begin-code-${hash}.js`;
  return {
    name: 'late-code',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: script });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const scripts = (html.match(moduleScript) ?? []).map((code) =>
          code.replace('type="module"', 'type="module" fetchpriority="low"'),
        );
        if (scripts.length === 0) throw new Error('The page has no code.');
        if (!html.includes(earlyInput))
          throw new Error('Nothing on the page hears that its code does not come.');
        const code = `<template id="code">${scripts.join('')}\n    </template>\n  `;
        return html
          .replace(moduleScript, '')
          .replace(earlyInput, `${earlyInput}\n    <script src="/${fileName}"></script>`)
          .replace('</head>', `  ${code}</head>`);
      },
    },
  };
}
