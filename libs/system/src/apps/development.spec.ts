import { expect, test } from '@jest/globals';
import { needsNewStart, restartMessage, watchArguments } from './development.ts';

test('an app in development restarts on a change; a named app has an inspector', () => {
  const development = { inspected: ['creators', 'edge'] } as const;
  expect(watchArguments('media', development)).toEqual(['--watch', '--watch-preserve-output']);
  // The ports in .vscode/launch.json.
  expect(watchArguments('creators', development)).toContain('--inspect=127.0.0.1:9229');
  expect(watchArguments('edge', development)).toContain('--inspect=127.0.0.1:9230');
});

test('changes that dev cannot apply need a new start', () => {
  for (const file of [
    'package-lock.json',
    'apps/creators/prisma/migrations/20260101000000_column/migration.sql',
    'apps/media/prisma/schema.prisma',
    'apps/web/index.html',
    'deploy/nats/nats.conf',
  ])
    expect([file, needsNewStart(file)]).toEqual([file, true]);
  for (const file of ['README.md', 'apps/web/vite.config.ts', 'deploy/keycloak/themes/stoa/login/info.ftl'])
    expect([file, needsNewStart(file)]).toEqual([file, false]);
});

test('restarts and crashes of an app are announced', () => {
  expect(restartMessage('media', "\u001b[32mRestarting 'dist/main.js'\u001b[39m")).toBe('media restarts');
  expect(restartMessage('media', "Failed running 'dist/main.js'")).toMatch(/^media ended/);
  expect(restartMessage('media', '{"level":30,"msg":"Restarting"}')).toBeUndefined();
});
