import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import jest from 'eslint-plugin-jest';
import jsxA11y from 'eslint-plugin-jsx-a11y-x';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** A package that is spoken to in one place only; everybody else goes through that place. */
const onlyIn = (place, group) => ({ group, message: `Only ${place} speaks to this package.` });
const packages = {
  nats: onlyIn('libs/messaging (and the tools that start or probe NATS)', ['@nats-io/*', 'nats']),
  telemetry: onlyIn('libs/telemetry', ['@opentelemetry/*', '@fastify/otel']),
  prisma: onlyIn("a service's *.repository.ts", ['@prisma/*', '**/generated/prisma/*']),
  routeConfig: {
    group: ['@nestjs/platform-fastify'],
    importNames: ['RouteConfig'],
    message:
      'It replaces what other decorators of the route have said: take withSettings (http/route-settings.ts).',
  },
};
const restrict = (allowed = [], more = []) => ({
  'no-restricted-imports': [
    'error',
    {
      patterns: Object.entries(packages)
        .filter(([name]) => !allowed.includes(name))
        .map(([, pattern]) => pattern)
        .concat(more),
    },
  ],
});

/** The rooms of the gateway, each of which may open those before it. */
const gatewayRooms = ['http', 'auth', 'reads', 'pages', 'api'];
const gatewayBorders = gatewayRooms.map((room, place) => ({
  files: [`apps/gateway/src/${room}/**`],
  rules: restrict(
    [],
    [
      {
        group: gatewayRooms
          .slice(place + 1)
          .concat(room === 'api' ? 'pages' : [])
          .map((later) => `**/${later}/*.ts`)
          .concat('../gateway.{app,module}.ts'),
        message: `${room}/ stands below it.`,
      },
    ],
  ),
}));

/** An icon stands in a small square; larger shapes are drawings, which a feature may have of its own. */
const drawnIcon = {
  selector:
    "JSXOpeningElement[name.name='svg'] > JSXAttribute[name.name='viewBox'] > Literal[value=/^0 0 (\\d\\d?) \\1$/]",
  message: 'Icons are of one set: take one of Lucide by `<Icon>` (ui/icon.tsx).',
};

/** What a folder of apps/web may not import, at once or as a chunk of its own. */
const fence = (folder, regex, message, more = []) => ({
  files: [`apps/web/src/${folder}/**/*.{ts,tsx}`],
  rules: {
    ...restrict([], [{ regex, message }]),
    'no-restricted-syntax': [
      'error',
      { selector: `ImportExpression[source.value=/${regex.replaceAll('/', '\\/')}/]`, message },
      ...more,
    ],
  },
});
const webRooms = [
  fence('{api,auth,browser,forms,layout}', '/features/', 'The routes alone put features into their places.', [
    drawnIcon,
  ]),
  fence(
    'features',
    '^\\.\\./(?!\\.\\./)',
    'Features never import one another: what two of them need is no feature.',
    [drawnIcon],
  ),
  fence(
    'ui',
    '^(react-router|@tanstack/|\\.\\./)',
    'What is only shown knows no router, no data and no other folder.',
  ),
];

/** What a file may be, after its subject: all that is neither has a plain name. A new role joins here or not at all. */
const fileRoles = [
  // of a process
  ...[
    'app',
    'client',
    'config',
    'controller',
    'decorator',
    'filter',
    'follower',
    'guard',
    'listener',
    'main',
    'module',
  ],
  ...['proxy', 'repository', 'routes', 'schema', 'service', 'statements', 'strategy', 'sweeper', 'worker'],
  // of the web app
  ...['queries', 'resources', 'validation'],
  // of what a tool loads by its name
  'reporter',
];

/** Which workspaces each may import beside itself; tools may import libraries and one another, and nobody imports an app. */
const services = ['contracts', 'messaging', 'platform', 'telemetry', 'testing'];
const nodeApps = readdirSync(`${import.meta.dirname}/apps`).filter((app) => !['web', 'e2e'].includes(app));
const mayImport = {
  'libs/contracts': [],
  'libs/telemetry': [],
  'libs/realm': ['contracts'],
  'libs/system': ['contracts', 'realm'],
  // Its tests start a real NATS.
  'libs/messaging': ['contracts', 'telemetry', 'system'],
  'libs/platform': ['contracts', 'messaging', 'telemetry'],
  'libs/testing': ['contracts', 'messaging', 'platform', 'realm', 'system'],
  'apps/web': ['contracts'],
  ...Object.fromEntries(nodeApps.map((app) => [`apps/${app}`, services])),
};
const zones = [
  ...Object.entries(mayImport).map(([target, libraries]) => ({
    target: `./${target}`,
    from: '.',
    except: ['node_modules', target, ...libraries.map((library) => `libs/${library}`)],
  })),
  { target: './tools', from: './apps' },
];

export default defineConfig(
  globalIgnores([
    '**/dist/',
    '**/generated/',
    '**/.nx/',
    '**/node_modules/',
    '.stoa/',
    '**/*.d.ts',
    '**/*.js',
  ]),
  js.configs.recommended,
  tseslint.configs.strict,
  {
    files: ['{apps,libs}/*/src/**/*.ts', 'apps/web/src/**/*.tsx'],
    ignores: ['**/*.{spec,test}.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: { '@typescript-eslint/no-floating-promises': 'error' },
  },
  {
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [
        createNodeResolver({
          conditionNames: ['@stoa/source', 'node', 'import', 'default'],
          extensions: ['.ts', '.tsx', '.mjs', '.js'],
        }),
      ],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
    },
    rules: {
      'max-lines': ['error', { max: 400 }],
      'prefer-const': 'error',
      eqeqeq: ['error', 'always'],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // Nest needs empty classes with decorators and constructor injection.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowEmpty: true }],
      // It refuses Promise.withResolvers<void>().
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-relative-packages': 'error',
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones }],
      ...restrict(),
    },
  },
  {
    files: ['libs/contracts/src/**'],
    rules: restrict(
      [],
      [
        {
          regex: '^(?!\\.|zod$|@jest/globals$)',
          message: 'Contracts also run in the browser: they know zod only.',
        },
      ],
    ),
  },
  {
    // Their cases lie in files beside them.
    files: ['libs/contracts/src/**/*.spec.ts'],
    rules: restrict(
      [],
      [
        {
          regex: '^(?!\\.|zod$|@jest/globals$|node:fs$)',
          message: 'Tests of contracts know zod and files only.',
        },
      ],
    ),
  },
  { files: ['libs/messaging/**'], rules: restrict(['nats']) },
  { files: ['libs/telemetry/**'], rules: restrict(['telemetry']) },
  { files: ['libs/{system,testing}/**', 'tools/kubernetes/**'], rules: restrict(['nats']) },
  { files: ['tools/prisma/**'], rules: restrict(['prisma']) },
  ...gatewayBorders,
  { files: ['apps/gateway/src/http/route-settings.ts'], rules: restrict(['routeConfig']) },
  { files: ['apps/*/src/*.repository.ts'], rules: restrict(['prisma']) },
  {
    ...reactHooks.configs.flat.recommended,
    files: ['apps/web/src/**/*.{ts,tsx}'],
    rules: { ...reactHooks.configs.flat.recommended.rules, 'react-hooks/exhaustive-deps': 'error' },
  },
  { ...jsxA11y.configs.recommended, files: ['apps/web/src/**/*.tsx'] },
  ...webRooms,
  {
    files: ['apps/web/src/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute[name.name='path'] Literal",
          message:
            'The server knows the pages of `@stoa/contracts/pages` alone: another answers 404 on a reload.',
        },
        drawnIcon,
      ],
    },
  },
  {
    files: ['**/*.{spec,test,tests}.{ts,tsx}'],
    plugins: { jest },
    rules: { ...jest.configs['flat/recommended'].rules, '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['{apps,libs,tools}/**/*.{ts,tsx,mjs}'],
    ignores: [`**/+([a-z0-9-])?(.@(${fileRoles.join('|')}))?(.@(spec|test|tests|d)).@(ts|tsx|mjs)`],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'Program',
          message: 'A file is <subject>.<role>.ts in kebab-case, its role one of `fileRoles`.',
        },
      ],
    },
  },
  // What the command line needs before anything is installed.
  { files: ['tools/stack/bin/*.mjs'], rules: { 'import-x/no-relative-packages': 'off' } },
  // Tests that several files run, each on its own store.
  { files: ['**/*.tests.ts'], rules: { 'jest/no-export': 'off' } },
  {
    files: ['jest-preset.mjs', 'apps/web/jest-dom.mjs'],
    languageOptions: { globals: { crypto: 'readonly', process: 'readonly', URL: 'readonly' } },
  },
  {
    files: ['**/*.{mjs,cjs}', '*.config.ts'],
    extends: [tseslint.configs.disableTypeChecked],
  },
);
