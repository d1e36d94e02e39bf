import type { Plugin } from 'vite';

const moduleScript = /\s*<script type="module"[^>]*><\/script>/g;

/**
 * Puts the code into a template, which a browser does not fetch. Words and the first picture come before it: a page is whole
 * without its code, and `public/early-input.js` begins that. The gateway takes it out where there is nothing to read yet.
 */
export function lateCode(): Plugin {
  return {
    name: 'late-code',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const scripts = (html.match(moduleScript) ?? []).map((script) =>
          script.replace('type="module"', 'type="module" fetchpriority="low"'),
        );
        if (scripts.length === 0) throw new Error('The page has no code.');
        const code = `<template id="code">${scripts.join('')}\n    </template>\n  `;
        return html.replace(moduleScript, '').replace('</head>', `  ${code}</head>`);
      },
    },
  };
}
