import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const moduleScript = /\s*<script type="module"[^>]*><\/script>/g;
const earlyInput = '<script src="/early-input.js"></script>';

/**
 * Puts the code into a template, which the browser does not fetch. So text and the first picture load before
 * the code, and `src/browser/begin-code.js` begins it later. The gateway removes the template if the page has
 * no content yet.
 *
 * The code may wait only if the page's script begins it. During a rollout, a page and its scripts come from
 * two releases. So the script's name is a hash of its content, and every replica serves it (ADR 21). If it
 * fails to load, `/early-input.js` begins the code. Every replica has that file.
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
          throw new Error('The page lacks the script that handles missing code.');
        const code = `<template id="code">${scripts.join('')}\n    </template>\n  `;
        return html
          .replace(moduleScript, '')
          .replace(earlyInput, `${earlyInput}\n    <script src="/${fileName}"></script>`)
          .replace('</head>', `  ${code}</head>`);
      },
    },
  };
}
