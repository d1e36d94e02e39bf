/** The addresses of a page's code, without the script of its head that begins it: a page whose code is held up has that one. */
export const pageCode = /\/assets\/(?!begin-code-)[^/]+\.js$/;
