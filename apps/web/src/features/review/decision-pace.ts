import { useState } from 'react';
import { doubleClickMs } from '../../forms/use-form.ts';

export interface DecisionPace {
  /** Whether a click may belong to the double click that decided last. */
  isTooSoon: () => boolean;
  decided: () => void;
}

/**
 * Shared by all cases of the page: when a case leaves the list, the next case's buttons move under the
 * pointer.
 */
export function useDecisionPace(): DecisionPace {
  const [pace] = useState(() => {
    let decidedAt = -Infinity;
    return {
      isTooSoon: () => performance.now() - decidedAt < doubleClickMs,
      decided: () => {
        decidedAt = performance.now();
      },
    };
  });
  return pace;
}
