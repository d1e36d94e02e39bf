type Gate = (event: PopStateEvent) => void;

let gate: Gate | undefined;
let noted: { index: number; address: string } | undefined;

// Browsers call a window's listeners in the order in which they came, capturing or not. The page loads this file
// before it starts the router, so that a step through the history can be held back from it.
globalThis.window?.addEventListener('popstate', (event) => {
  // An entry by a link within the page: the router has not numbered it, and counts on its numbers.
  if (noted && !history.state) {
    const idx = noted.index + Number(noted.address !== location.href);
    history.replaceState({ idx, key: `${Math.random()}` }, '');
  }
  gate?.(event);
});

/** The router numbers its entries. */
export function entryIndex(): number | undefined {
  return (history.state as { idx?: number } | null)?.idx;
}

/** Remembers where a link within the page would start from; to be called after each navigation. */
export function recordHistoryEntry(): void {
  noted = { index: entryIndex() ?? 0, address: location.href };
}

/** Hears of each step through the history before the router; answers how to stop listening. */
export function interceptPopState(next: Gate): () => void {
  gate = next;
  return () => {
    if (gate === next) gate = undefined;
  };
}
