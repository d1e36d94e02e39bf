import { describe, expect, it } from '@jest/globals';
import { purposeOf, showPurpose } from './page-purpose.ts';

const asked = (query: string) => purposeOf(new URLSearchParams(query));

describe('the purpose of a log-in', () => {
  it('is its action, without the parameter of the action', () => {
    expect(asked('kc_action=webauthn-register')).toBe('webauthn-register');
    expect(asked('kc_action=delete_credential:1-2')).toBe('delete_credential');
  });

  it('is the one that the site names', () =>
    expect(asked('prompt=login&stoa_for=export-account')).toBe('export-account'));

  it.each([
    '',
    'stoa_for=',
    'stoa_for=other',
    'stoa_for=none',
    'stoa_for=%22%3E%3Cb%3E',
    'kc_action=x&stoa_for=decision',
  ])('is undefined for %j', (query) => expect(asked(query)).toBeUndefined());
});

describe('a page', () => {
  const page =
    '<h1><span data-purpose="none">Confirm</span><span data-purpose="decision" hidden>To decide</span></h1>';

  it('shows only the text for its purpose', () =>
    expect(showPurpose(page, 'decision')).toBe(
      '<h1><span data-purpose="none" hidden>Confirm</span><span data-purpose="decision">To decide</span></h1>',
    ));

  it.each([undefined, 'payment-link'])('is unchanged for the purpose %s', (purpose) =>
    expect(showPurpose(page, purpose)).toBe(page),
  );
});
