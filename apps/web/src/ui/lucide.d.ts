// One file for each icon: the package's own types know only the module that names them all.
declare module 'lucide/dist/esm/icons/*.mjs' {
  const node: import('./icon.tsx').IconNode;
  export default node;
}
