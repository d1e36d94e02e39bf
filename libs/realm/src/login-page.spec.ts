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
  it('reads action and hidden fields of a form by its id', () => {
    expect(findForm(PAGE, 'kc-form-login')).toEqual({
      action: 'http://auth.test/authenticate?a=1&b=2=',
      hidden: { credentialId: '', code: "it's" },
    });
  });

  it('returns undefined for a page without the form', () => {
    expect(findForm('<p>Sorry</p>', 'kc-form-login')).toBeUndefined();
  });

  it('reads the error message of a form and of an error page', () => {
    expect(errorsOf(PAGE)).toEqual(['Invalid email or password. Please try again.']);
    expect(errorsOf('<p class="instruction">Invalid redirect uri</p>')).toEqual(['Invalid redirect uri']);
  });
});
