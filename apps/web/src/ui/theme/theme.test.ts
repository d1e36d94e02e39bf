import { afterEach, describe, expect, it } from '@jest/globals';
import { sharedDomain } from './kept-theme.ts';
import { chooseTheme } from './theme.ts';

describe('sharedDomain', () => {
  it.each([
    ['stoa.example', 'auth.stoa.example', 'stoa.example'],
    ['www.stoa.co.za', 'auth.stoa.co.za', 'stoa.co.za'],
    ['localhost', 'localhost', undefined],
    ['stoa.example', 'stoa.example', undefined],
    ['stoa.example', 'login.example', undefined],
    ['stoa.example', '', undefined],
  ])('of %s and %s is %s', (one, other, domain) => {
    expect(sharedDomain(one, other)).toBe(domain);
  });
});

describe('chooseTheme', () => {
  afterEach(() => {
    document.cookie = 'stoa-theme=; Path=/; Max-Age=0';
    delete document.documentElement.dataset.theme;
  });

  it('keeps the last choice in one cookie immediately', () => {
    chooseTheme('dark');
    chooseTheme('light');
    expect(document.cookie).toBe('stoa-theme=light');
    expect(document.documentElement.dataset.theme).toBe('light');
  });
});
