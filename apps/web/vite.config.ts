import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { type BuildOptions, defineConfig } from 'vite';
import { devServer } from './dev-server.ts';
import { lateCode } from './late-code.ts';
import { pageFiles } from './page-files.ts';
import { precompress } from './precompress.ts';
import { sharedCode } from './shared-code.ts';
import { weightLimit } from './weight-limit.ts';

const conditions = ['@stoa/source', 'module', 'development|production'];

/** The build with which the gateway renders pages: one self-contained file, which is not served. */
const onServer = {
  outDir: 'dist/server',
  copyPublicDir: false,
  minify: true,
  // As in the browser's build: a picture inlined into the HTML would load twice and delay the text.
  assetsInlineLimit: 0,
  rolldownOptions: { output: { entryFileNames: 'render.mjs', codeSplitting: false } },
} satisfies BuildOptions;

const site = {
  target: ['chrome126', 'edge126', 'firefox128', 'safari18'],
  // Vite's preload lists would enlarge every page. The gateway writes the list of the first page, and
  // hovering a link fetches the next.
  modulePreload: false,
  assetsInlineLimit: 0,
  reportCompressedSize: false,
  rolldownOptions: {
    treeshake: {
      // React Router's published build keeps its hints for developers, 1,300 bytes. These functions only log.
      manualPureFunctions: ['warning', 'warningOnce'],
    },
  },
} satisfies BuildOptions;

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    react(),
    tailwindcss(),
    devServer(process.env.STOA_GATEWAY_URL),
    ...(isSsrBuild ? [] : [sharedCode(), lateCode(), weightLimit(), pageFiles(), precompress()]),
  ],
  resolve: {
    // Our own libraries are bundled from their sources, so that unused parts are left out.
    conditions: [...conditions, 'browser'],
  },
  ssr: { noExternal: true, resolve: { conditions: [...conditions, 'node'] } },
  define: isSsrBuild ? { 'process.env.NODE_ENV': '"production"' } : {},
  build: isSsrBuild ? onServer : site,
}));
