// Icons are imported from one file each. The package's types cover only its index module.
declare module 'lucide/dist/esm/icons/*.mjs' {
  const node: import('./icon.tsx').IconNode;
  export default node;
}
