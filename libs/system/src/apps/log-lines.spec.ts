import { expect, it } from '@jest/globals';
import { readableLines } from './log-lines.ts';

const warning = JSON.stringify({ level: 40, context: 'OutboxRelay', message: 'lost its\ndatabase' });

it('prints a warning or error on one line, and a repeated line once', () => {
  const readable = readableLines('creators', false);

  expect(readable(warning)).toBe('creators: warning: OutboxRelay: lost its database');
  expect(readable(warning)).toBeUndefined();
  expect(readable('{"level":50,"msg":"failed","err":{"message":"no route"}}')).toBe(
    'creators: error: failed: no route',
  );
  expect(readable('TypeError: x is not a function')).toBe('creators: TypeError: x is not a function');
});

it('prints other levels only when verbose', () => {
  const line = '{"level":30,"msg":"started"}';

  expect(readableLines('creators', false)(line)).toBeUndefined();
  expect(readableLines('creators', true)(line)).toBe('creators: started');
});
