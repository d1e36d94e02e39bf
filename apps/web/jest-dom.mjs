import FixedJsdom from 'jest-fixed-jsdom';

/**
 * A page in Node, with Node's fetch and streams. Our libraries are imported from source, as in every other
 * workspace.
 */
export default class extends FixedJsdom {
  constructor(...args) {
    super(...args);
    // jsdom lacks SubtleCrypto, which a sign-in needs for its PKCE challenge.
    Object.defineProperty(this.global, 'crypto', { value: crypto });
    const { File, FileReader } = this.global;
    // jsdom also lacks `arrayBuffer()` of files and blobs.
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
