import { expect, it } from '@jest/globals';
import { LogInSteps, stepAllows, stepPageAddress } from './log-in-step.ts';

const steps = new LogInSteps('a key of the tests alone');
const form = (content = '', action = 'authenticate', code = 's1') =>
  `<body class="x" data-account="ada&amp;co@stoa.test"><form action="https://a.test/realms/stoa/login-actions/${action}?session_code=${code}&amp;execution=e&amp;tab_id=t">${content}</form>`;
const addressOf = (html: string) => (/action="([^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');

it('reads the account that the page names, and none where the visitor types the name', () => {
  expect(steps.verify(addressOf(steps.mark(form())))).toEqual({ account: 'ada&co@stoa.test', factor: null });
  const typed = form('<input type="text" name="username" value="bob">');
  expect(steps.verify(addressOf(steps.mark(typed)))).toEqual({ account: null, factor: null });
  const code = form().replace('<form', '<form data-factor="one"');
  expect(steps.verify(addressOf(steps.mark(code)))?.factor).toBe('one');
});

it('accepts a mark only for the step and the address of its page', () => {
  const address = addressOf(steps.mark(form()));
  for (const other of [
    address.replace('session_code=s1', 'session_code=s2'),
    address.replace('session_code=s1', 'session_code='),
    address.replace('authenticate', 'registration'),
    address.replace('stoa_step=', 'stoa_step=e30'),
    address.replace(/\.[\w-]+&execution/, '.x&execution'),
    addressOf(form()),
  ])
    expect([other, steps.verify(other)]).toEqual([other, undefined]);
  expect(new LogInSteps('another key of the tests').verify(address)).toBeUndefined();
});

const stolen = '/login-actions/authenticate?session_code=stolen';
it.each([
  `<input type="text" name="username" value="${stolen}">`,
  `<input type="text" name="displayName" value="https://a.test/realms/stoa${stolen}">`,
  `<input type="text" name="displayName" value="&lt;form action=&quot;${stolen}&quot;&gt;">`,
  `<p>Unknown: ${stolen}</p>`,
  `<p title="<form action='${stolen}'>">`,
  `<a href="${stolen}">Back</a>`,
  `<!-- <form action="${stolen}"> -->`,
  `<textarea><form action="${stolen}"></textarea>`,
  `<form action="/x?to=${stolen}">`,
  `<form action="/x#${stolen}">`,
  `<form title=" action=" action="/x" class="${stolen}">`,
])('does not mark other text of a page: %s', (text) => {
  const page = form(text);
  const marked = steps.mark(page);
  expect(marked.match(/stoa_step/g)).toHaveLength(1);
  expect(marked.replace(/&amp;stoa_step=[\w.-]*/, '')).toBe(page);
  expect(steps.verify(addressOf(marked))).toBeDefined();
});

it('reads the account only from the body tag of the page', () => {
  const page = form(
    '<input id="x" title=" name=" class="username" value="<body data-account=\'eve\'>">',
  ).replace('<body class="x"', '<body class="x data-account="');
  expect(steps.verify(addressOf(steps.mark(page)))?.account).toBe('ada&co@stoa.test');
});

it.each(['otp', 'recoveryCodeInput'])('rejects %s where the visitor types the name', (field) => {
  const fields = new URLSearchParams({ [field]: '1' });
  expect(stepAllows({ account: null, factor: null }, fields)).toBe(false);
  expect(stepAllows({ account: 'ada', factor: null }, fields)).toBe(true);
  expect(stepAllows({ account: null, factor: null }, new URLSearchParams({ username: 'ada' }))).toBe(true);
});

it('returns the address that shows the page of a step again', () => {
  const { pathname, search } = new URL(addressOf(steps.mark(form())));
  expect(stepPageAddress(pathname + search)).toBe('/realms/stoa/login-actions/authenticate?tab_id=t');
});
