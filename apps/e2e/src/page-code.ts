/**
 * Matches the addresses of a page's code, except the loader in its head, which must run even in tests that block the code.
 */
export const pageCode = /\/assets\/(?!begin-code-)[^/]+\.js$/;
