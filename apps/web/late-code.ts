import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const moduleScript = /\s*<script type="module"[^>]*><\/script>/g;
const earlyInput = '/early-input.js';
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/**
 * Puts the code into a template, which a browser does not fetch. Words and the first picture come before it: a page is whole
 * without its code, and `src/browser/begin-code.js` begins that. The gateway takes it out where there is nothing to read yet.
 *
 * Only a page whose script begins its code may have it wait. In a rollout a page and its scripts come from replicas of two
 * releases, so that script has a name by its content, which every replica serves (ADR 21); `/early-input.js` alone stays for
 * the pages of the release before, and for those without a build.
 */
export function lateCode(): Plugin {
  const script = read(`public${earlyInput}`) + read('src/browser/begin-code.js');
  const hash = createHash('sha256').update(script).digest('base64url').slice(0, 8);
  const fileName = `assets/early-input-${hash}.js`;
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
        if (!html.includes(`"${earlyInput}"`)) throw new Error('Nothing on the page begins its code.');
        const code = `<template id="code">${scripts.join('')}\n    </template>\n  `;
        return html
          .replace(`"${earlyInput}"`, `"/${fileName}"`)
          .replace(moduleScript, '')
          .replace('</head>', `  ${code}</head>`);
      },
    },
  };
}
