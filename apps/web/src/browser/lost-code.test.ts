import { beforeEach, expect, jest, test } from '@jest/globals';
import { dropDraft, leavingWithSavedDrafts, readDraft, registerDraft } from './drafts.ts';
import { brokenEvent, leaveEvent, recoverCode } from './lost-code.ts';

const lost = new TypeError('Failed to fetch dynamically imported module: /assets/page-AbCd1234.js');
let left: number;
addEventListener(leaveEvent, () => (left += 1));

beforeEach(() => {
  sessionStorage.clear();
  left = 0;
  // jsdom cannot reload, and reports that as an error.
  jest.spyOn(console, 'error').mockReturnValue();
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
});

test.each([
  ['Chromium', lost],
  ['Firefox', new TypeError('error loading dynamically imported module: /assets/page-AbCd1234.js')],
  ['WebKit', new TypeError('Importing a module script failed.')],
])('a page whose code is gone reloads once per build: %s', (_, error) => {
  expect([recoverCode(error), recoverCode(error)]).toEqual([true, false]);
  expect(left).toBe(1);
});

test('a page that breaks otherwise does not reload', () => {
  expect(recoverCode(new TypeError('undefined is not a function'))).toBe(false);
  expect(left).toBe(0);
});

test('a page without a network does not reload', () => {
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect(recoverCode(lost)).toBe(false);
});

test('a page whose storage is blocked does not reload', () => {
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('blocked');
  });
  expect(recoverCode(lost)).toBe(false);
  jest.restoreAllMocks();
});

test('drafts survive a failed navigation, also those of a form just left [web-6]', () => {
  const close = registerDraft('open', () => ({ bio: 'Half a sentence' }));
  registerDraft('left', () => ({ title: 'Ink' }))();
  registerDraft('saved', () => undefined)();
  recoverCode(lost);
  expect(readDraft('open')).toEqual({ bio: 'Half a sentence' });
  expect(readDraft('left')).toEqual({ title: 'Ink' });
  expect(readDraft('saved')).toBeUndefined();
  expect(leavingWithSavedDrafts()).toBe(true);
  close();
  dropDraft('open');
});

test('drafts of a broken page survive however long it stays broken', () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(1000);
  registerDraft('broken', () => ({ bio: 'Half a sentence' }))();
  dispatchEvent(new Event(brokenEvent));
  now.mockReturnValue(3_600_000);
  recoverCode(lost);
  expect(readDraft('broken')).toEqual({ bio: 'Half a sentence' });
});
