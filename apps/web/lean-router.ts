import type { Plugin } from 'vite';

/**
 * React Router keeps its forms, prefetching and server components in every bundle, because bundlers must assume
 * that `forwardRef()` and the `displayName` written after it have effects. Saying that they have none takes 3 KB
 * off every page; another 0.2 KB are sentences for who writes routes. Should a new release be written differently,
 * the build still works and is heavier.
 */
export function leanRouter(): Plugin {
  return {
    name: 'lean-router',
    apply: 'build',
    transform(code, id) {
      if (!id.includes('/react-router/dist/')) return null;
      const lean = code
        .replace(/^\w+\.displayName = .*;$/gm, '')
        .replace(/= (\w+\.)?(forwardRef|createContext|memo)\(/g, '= /* @__PURE__ */ $1$2(')
        .replace(
          /(errorMessage = |return )`(?:You made a|Route "|No route matches|\$\{hookName\} must be)(?:\\.|[^`\\])*`/g,
          "$1''",
        );
      return { code: lean, map: null };
    },
  };
}
