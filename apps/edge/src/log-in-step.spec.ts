import { expect, it } from '@jest/globals';
import { LogInSteps, pageOfStep } from './log-in-step.ts';

const steps = new LogInSteps('a key of the tests alone');
const form = (content = '', action = 'authenticate', code = 's1') =>
  `<body class="x" data-account="ada&amp;co@stoa.test"><form action="https://a.test/realms/stoa/login-actions/${action}?session_code=${code}&amp;execution=e&amp;tab_id=t">${content}</form>`;
const addressOf = (html: string) => (/action="([^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');

it('names the account of the page, and none where the name is typed', () => {
  expect(steps.of(addressOf(steps.mark(form())))).toEqual({ account: 'ada&co@stoa.test', factor: null });
  const typed = form('<input type="text" name="username" value="bob">');
  expect(steps.of(addressOf(steps.mark(typed)))).toEqual({ account: null, factor: null });
  const code = form().replace('<form', '<form data-factor="one"');
  expect(steps.of(addressOf(steps.mark(code)))?.factor).toBe('one');
});

it('counts for the step and the address of its page alone', () => {
  const address = addressOf(steps.mark(form()));
  for (const other of [
    address.replace('session_code=s1', 'session_code=s2'),
    address.replace('session_code=s1', 'session_code='),
    address.replace('authenticate', 'registration'),
    address.replace('stoa_step=', 'stoa_step=e30'),
    address.replace(/\.[\w-]+&execution/, '.x&execution'),
    addressOf(form()),
  ])
    expect([other, steps.of(other)]).toEqual([other, undefined]);
  expect(new LogInSteps('another key of the tests').of(address)).toBeUndefined();
});

it('knows the address that shows its page anew', () => {
  const { pathname, search } = new URL(addressOf(steps.mark(form())));
  expect(pageOfStep(pathname + search)).toBe('/realms/stoa/login-actions/authenticate?tab_id=t');
});
