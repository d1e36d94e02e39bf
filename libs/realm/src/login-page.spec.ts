import { describe, expect, it } from '@jest/globals';
import { errorsOf, findForm } from './login-page.ts';

const PAGE = `
  <form id="other" action="/elsewhere"></form>
  <form id='kc-form-login' class="x" action="http://auth.test/authenticate?a=1&amp;b=2&#x3D;" method="post">
    <input name="username" type="text">
    <input type="hidden" name="credentialId" />
    <input type="hidden" name="code" value="it&#39;s">
    <span class="error kc-feedback-text">
      Invalid email or password. Please try again.
    </span>
  </form>`;

describe('login page', () => {
  it('reads the action and the hidden fields of the form asked for', () => {
    expect(findForm(PAGE, 'kc-form-login')).toEqual({
      action: 'http://auth.test/authenticate?a=1&b=2=',
      hidden: { credentialId: '', code: "it's" },
    });
  });

  it('finds no form on a page without it', () => {
    expect(findForm('<p>Sorry</p>', 'kc-form-login')).toBeUndefined();
  });

  it('reads what went wrong, from a form and from an error page', () => {
    expect(errorsOf(PAGE)).toEqual(['Invalid email or password. Please try again.']);
    expect(errorsOf('<p class="instruction">Invalid redirect uri</p>')).toEqual(['Invalid redirect uri']);
  });
});
