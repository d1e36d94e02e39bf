import { readdirSync, readFileSync } from 'node:fs';
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import jest from 'eslint-plugin-jest';
import jsxA11y from 'eslint-plugin-jsx-a11y-x';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { plainWords } from './lint/plain-words.mjs';

/** Restricts the import of a package to one place; other code uses that place. */
const onlyIn = (place, group) => ({ group, message: `Only ${place} may import this package.` });
const packages = {
  nats: onlyIn('libs/messaging (and the tools that start or probe NATS)', ['@nats-io/*', 'nats']),
  telemetry: onlyIn('libs/telemetry', ['@opentelemetry/*', '@fastify/otel']),
  prisma: onlyIn("a service's database.ts and *.repository.ts", ['**/generated/prisma/*']),
  prismaClient: {
    ...onlyIn("a service's database.ts", ['**/generated/prisma/*']),
    importNames: ['PrismaClient'],
    message: 'A service has one client, that of its database.ts: inject `Database`.',
  },
  prismaAdapter: onlyIn("a service's database.ts", ['@prisma/*']),
  routeConfig: {
    group: ['@nestjs/platform-fastify'],
    importNames: ['RouteConfig'],
    message:
      'It overwrites the settings of other decorators on the route: use withSettings (http/route-settings.ts).',
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

const nodeApps = readdirSync(`${import.meta.dirname}/apps`).filter((app) => !['web', 'e2e'].includes(app));

/** The folders of an app's sources in the order of its package.json. Each may import earlier ones. */
const roomsOf = (app) => {
  const folder = `${import.meta.dirname}/apps/${app}`;
  const { rooms = [] } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const folders = readdirSync(`${folder}/src`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'generated')
    .map(({ name }) => name);
  if (folders.toSorted().join() !== rooms.toSorted().join())
    throw new Error(`apps/${app}/package.json lists the rooms ${rooms}, but the folders are ${folders}.`);
  return rooms;
};
const bordersOf = (app) =>
  roomsOf(app).flatMap((room, place, rooms) => {
    const later = rooms.slice(place + 1).concat(app === 'gateway' && room === 'api' ? 'pages' : []);
    // Only the module combines the rooms.
    const above = [`../${app}.app.ts`, `../${app}.module.ts`, '../main.ts'];
    const group = later.map((name) => `**/${name}/*.ts`).concat(above);
    const border = { group, message: `It is a later room than ${room}/.` };
    const files = `apps/${app}/src/${room}/**`;
    return [
      { files: [files], rules: restrict([], [border]) },
      { files: [`${files}/*.repository.ts`], rules: restrict(['prisma'], [border]) },
    ];
  });

/** Icons are small squares. A feature may have larger drawings of its own. */
const drawnIcon = {
  selector:
    "JSXOpeningElement[name.name='svg'] > JSXAttribute[name.name='viewBox'] > Literal[value=/^0 0 (\\d\\d?) \\1$/]",
  message: 'All icons come from Lucide: use `<Icon>` (ui/icons/icon.tsx).',
};

/** Components of ui/ use no router and no data, neither directly nor through a lazy import. */
const shownOnly = {
  regex: '^(react-router|@tanstack/)',
  message: 'Components of ui/ use no router and no data.',
};

/** The rooms of the web app by floors. A room may import rooms of lower floors, but none of its own floor. */
const webFloors = [
  ['generated'],
  ['ui'],
  ['browser'],
  ['navigation'],
  ['api'],
  ['auth'],
  ['forms', 'layout', 'storefront'],
  ['features'],
  ['routes', 'start'],
];
const webSource = 'apps/web/src';
const foldersIn = (folder) =>
  readdirSync(`${import.meta.dirname}/${folder}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
/** A room that is on no floor may import only itself. Tests may use testing/, except those of ui. */
const webRooms = foldersIn(webSource).filter((room) => room !== 'testing');
const webZones = [
  ...webRooms.map((room) => {
    const own = webFloors.findIndex((rooms) => rooms.includes(room));
    const lower = own < 0 ? [] : webFloors.slice(0, own).flat();
    return {
      target: `./${webSource}/${room}`,
      from: `./${webSource}`,
      except: [room, ...lower, ...(room === 'ui' ? [] : ['testing'])],
      message: `${room}/ may import only rooms of lower floors (webFloors).`,
    };
  }),
  ...foldersIn(`${webSource}/features`).map((feature) => ({
    target: `./${webSource}/features/${feature}`,
    from: `./${webSource}/features`,
    except: [feature],
    message: 'Features never import one another: move shared code out of features.',
  })),
  {
    target: `./${webSource}/**/!(*.test).{ts,tsx}`,
    from: `./${webSource}/testing`,
    message: 'It is for tests only.',
  },
];

/** The roles in file names, `<subject>.<role>.ts`. A new role must be added here. */
const fileRoles = [
  // in processes
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
  // in the web app
  ...['queries', 'validation'],
  // loaded by a tool through its name
  'reporter',
];

/** The workspaces that each one may import besides itself. Tools may import libraries and one another; no workspace imports an app. */
const services = ['contracts', 'messaging', 'platform', 'telemetry', 'testing'];
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
  { target: './tools/!(drills|reports)/**', from: './apps' },
  // They use the fixtures of the browser tests to run the whole system.
  { target: './tools/{drills,reports}/**', from: './apps', except: ['e2e'] },
  { target: './apps/e2e', from: ['./tools/drills', './tools/reports'] },
  ...webZones,
];

/** Oxlint checks unhandled promises and import cycles (.oxlintrc.json): here they took most of the time. */
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
    // Decorators read the classes of parameters at run time, so these imports are not only types.
    files: ['{apps,libs}/*/src/**/*.ts'],
    ignores: ['apps/{web,e2e}/**', '**/*.{spec,test}.ts'],
    languageOptions: { parserOptions: { experimentalDecorators: true, emitDecoratorMetadata: true } },
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
          message: 'Contracts also run in the browser: they may import only zod.',
        },
      ],
    ),
  },
  {
    // They read their cases from files.
    files: ['libs/contracts/src/**/*.spec.ts'],
    rules: restrict(
      [],
      [
        {
          regex: '^(?!\\.|zod$|@jest/globals$|node:fs$)',
          message: 'Tests of contracts may import only zod and node:fs.',
        },
      ],
    ),
  },
  { files: ['libs/messaging/**'], rules: restrict(['nats']) },
  { files: ['libs/telemetry/**'], rules: restrict(['telemetry']) },
  { files: ['libs/{system,testing}/**', 'tools/kubernetes/**'], rules: restrict(['nats']) },
  { files: ['tools/prisma/**'], rules: restrict(['prismaAdapter']) },
  { files: ['apps/*/src/**/*.repository.ts'], rules: restrict(['prisma']) },
  { files: ['apps/*/src/database.ts'], rules: restrict(['prisma', 'prismaClient', 'prismaAdapter']) },
  ...nodeApps.flatMap(bordersOf),
  { files: ['apps/gateway/src/http/route-settings.ts'], rules: restrict(['routeConfig']) },
  {
    ...reactHooks.configs.flat.recommended,
    files: ['apps/web/src/**/*.{ts,tsx}'],
    rules: { ...reactHooks.configs.flat.recommended.rules, 'react-hooks/exhaustive-deps': 'error' },
  },
  { ...jsxA11y.configs.recommended, files: ['apps/web/src/**/*.tsx'] },
  {
    files: ['apps/web/src/ui/**'],
    rules: {
      ...restrict([], [shownOnly]),
      'no-restricted-syntax': [
        'error',
        {
          selector: `ImportExpression[source.value=/${shownOnly.regex.replaceAll('/', '\\/')}/]`,
          message: shownOnly.message,
        },
      ],
    },
  },
  {
    files: ['apps/web/src/**/*.tsx'],
    ignores: ['apps/web/src/ui/**'],
    rules: { 'no-restricted-syntax': ['error', drawnIcon] },
  },
  {
    files: ['apps/web/src/{,routes/}*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute[name.name='path'] Literal",
          message:
            'The server serves only the pages in `@stoa/contracts/pages`: another path answers 404 on a reload.',
        },
        drawnIcon,
      ],
    },
  },
  {
    files: ['{apps,libs,tools}/**/*.{ts,tsx,mjs}'],
    plugins: { stoa: { rules: { 'plain-words': plainWords } } },
    rules: { 'stoa/plain-words': 'error' },
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
          message: 'A file name is <subject>.<role>.ts in kebab-case, with a role of `fileRoles`.',
        },
      ],
    },
  },
  // The command line runs these before anything is installed.
  { files: ['tools/stack/bin/*.mjs'], rules: { 'import-x/no-relative-packages': 'off' } },
  // Tests that several files share, each for its own store.
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
