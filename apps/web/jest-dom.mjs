import FixedJsdom from 'jest-fixed-jsdom';

/** A page in Node, with Node's fetch and streams; it takes our libraries from source as every other workspace does. */
export default class extends FixedJsdom {
  constructor(...args) {
    super(...args);
    // jsdom knows no SubtleCrypto, by which a sign-in makes its PKCE challenge.
    Object.defineProperty(this.global, 'crypto', { value: crypto });
    const { File, FileReader } = this.global;
    // Nor how a file, or a part of one, is read at once.
    Object.getPrototypeOf(File.prototype).arrayBuffer ??= function () {
      return new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.onerror = () => reject(reader.error);
        reader.readAsArrayBuffer(this);
      });
    };
  }

  exportConditions() {
    return ['@stoa/source'];
  }
}
