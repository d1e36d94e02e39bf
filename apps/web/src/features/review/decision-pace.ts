import { useState } from 'react';
import { doubleClickMs } from '../../forms/use-form.ts';

export interface DecisionPace {
  /** Whether a click may be the second half of the one that decided last. */
  isTooSoon: () => boolean;
  decided: () => void;
}

/** One for the room: when a case leaves its list, the buttons of the next come to stand under the pointer. */
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
