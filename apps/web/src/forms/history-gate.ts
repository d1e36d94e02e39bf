type Gate = (event: PopStateEvent) => void;

let gate: Gate | undefined;

// Browsers call a window's listeners in the order in which they came, capturing or not. The page loads this file
// before it starts the router, so that a step through the history can be held back from it.
addEventListener('popstate', (event) => gate?.(event));

/** Hears of each step through the history before the router; answers how to stop listening. */
export function gateHistory(next: Gate): () => void {
  gate = next;
  return () => {
    if (gate === next) gate = undefined;
  };
}
