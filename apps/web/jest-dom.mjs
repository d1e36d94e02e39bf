import FixedJsdom from 'jest-fixed-jsdom';

/** A page in Node, with Node's fetch and streams; it takes our libraries from source as every other workspace does. */
export default class extends FixedJsdom {
  constructor(...args) {
    super(...args);
    // jsdom knows no SubtleCrypto, by which a sign-in makes its PKCE challenge.
    Object.defineProperty(this.global, 'crypto', { value: crypto });
  }

  exportConditions() {
    return ['@stoa/source'];
  }
}
