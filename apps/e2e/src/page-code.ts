/** The URLs of a page's code except the loader in its head. A test that blocks the code still lets the loader run. */
export const pageCode = /\/assets\/(?!begin-code-)[^/]+\.js$/;
