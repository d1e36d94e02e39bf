/** The parts of the browser's Navigation API that are used here; TypeScript does not know it yet. */
export interface TraverseEvent extends Event {
  readonly navigationType: 'push' | 'replace' | 'reload' | 'traverse';
  readonly destination: { readonly key: string };
}

interface NavigationApi {
  addEventListener(type: 'navigate', listener: (event: TraverseEvent) => void): void;
  removeEventListener(type: 'navigate', listener: (event: TraverseEvent) => void): void;
  traverseTo(key: string): unknown;
}

/** Undefined in browsers that do not have it. */
export function navigationApi(): NavigationApi | undefined {
  return (window as { navigation?: NavigationApi }).navigation;
}
