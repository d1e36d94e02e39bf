import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { type BuildOptions, defineConfig } from 'vite';
import { devServer } from './dev-server.ts';
import { lateCode } from './late-code.ts';
import { leanRouter } from './lean-router.ts';
import { pageFiles } from './page-files.ts';
import { precompress } from './precompress.ts';
import { weightLimit } from './weight-limit.ts';

const routerPackage = createRequire(import.meta.url).resolve('react-router/package.json');

const conditions = ['@stoa/source', 'module', 'development|production'];

/** What the gateway renders pages with: one file that needs no other, beside the site and not served. */
const onServer = {
  outDir: 'dist/server',
  copyPublicDir: false,
  minify: true,
  // As the browser's build: a picture within the HTML is loaded twice, and delays the first words.
  assetsInlineLimit: 0,
  rolldownOptions: { output: { entryFileNames: 'render.mjs', codeSplitting: false } },
} satisfies BuildOptions;

const site = {
  target: ['chrome126', 'edge126', 'firefox128', 'safari18'],
  // Lists of what each page needs would weigh on every page: the gateway writes that of the first, and pointing at a
  // link fetches the next.
  modulePreload: false,
  assetsInlineLimit: 0,
  rolldownOptions: {
    output: {
      // React Router's assertions and warnings for developers, which are no words for visitors.
      minify: {
        compress: {
          target: 'es2024',
          treeshake: { manualPureFunctions: ['warning', 'warnOnce', 'invariant'] },
        },
        mangle: true,
        codegen: { removeWhitespace: true },
      },
      codeSplitting: {
        // Few files: many small ones weigh more and compress worse. What visitors need is in the first two.
        groups: [
          {
            name: 'base',
            test: /[/]contracts[/]src[/](facts|offering-types|pages|text-language)\.|[/]src[/](main\.tsx|niche-tags\.|picture-sizes\.|api[/](http|endpoints|messages|resource|request|creator\.resources)\.|layout[/]|browser[/](lost-code|scroll-position|sign-in-storage)\.|ui[/](avatar|control-class|icons|notice|own-words|picture|skeleton|tag)\.)/,
            priority: 2,
          },
          {
            name: 'offering',
            test: /[/]src[/](offering-card|access-now|api[/]creator-offerings.resources|workshop-facts|features[/]profile[/](share-button|owner-link|report-link|profile.resources))\.|[/]ui[/](clamped-text|link-host|cover-placeholder)\.|[/]contracts[/]src[/]links\./,
          },
          {
            // The page of a download shows a text and no card.
            name: 'format',
            test: /[/]contracts[/]src[/](?:simple|inline)-format\./,
            priority: 1,
          },
          {
            name: 'query',
            test: /[/](react-query|query-core)[/]|[/]src[/]api[/]query-client\./,
            priority: 1,
          },
          {
            name: 'form',
            test: /[/]src[/](browser[/]drafts|forms[/](use-form|form-status)|ui[/](field|text-field))\./,
          },
        ],
      },
    },
  },
  reportCompressedSize: false,
} satisfies BuildOptions;

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    react(),
    tailwindcss(),
    leanRouter(),
    devServer(process.env.STOA_GATEWAY_URL),
    ...(isSsrBuild ? [] : [lateCode(), weightLimit(), pageFiles(), precompress()]),
  ],
  resolve: {
    // Our own libraries are bundled from their sources, so that the browser gets only what it uses of them.
    conditions: [...conditions, 'browser'],
    // The package offers bundlers its development files only; these warn less and weigh less.
    alias: [
      {
        find: /^react-router$/,
        replacement: routerPackage.replace('package.json', 'dist/production/index.mjs'),
      },
      {
        find: /^react-router[/]dom$/,
        replacement: routerPackage.replace('package.json', 'dist/production/dom-export.mjs'),
      },
      // It writes style elements, which the content security policy refuses.
      {
        find: /^react-style-singleton$/,
        replacement: fileURLToPath(new URL('src/ui/adopted-style.ts', import.meta.url)),
      },
    ],
  },
  ssr: { noExternal: true, resolve: { conditions: [...conditions, 'node'] } },
  define: isSsrBuild ? { 'process.env.NODE_ENV': '"production"' } : {},
  build: isSsrBuild ? onServer : site,
}));
