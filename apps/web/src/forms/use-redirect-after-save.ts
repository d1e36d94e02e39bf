import { limits } from '@stoa/contracts/limits';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';

/** Shows the success for a moment, then navigates. `nextState` becomes the state of the next page. */
export function useRedirectAfterSave(to: string): {
  saved: boolean;
  markSaved: (nextState?: object) => void;
} {
  const navigate = useNavigate();
  const [saved, setSaved] = useState(false);
  const [state, setState] = useState<object>();

  useEffect(() => {
    if (!saved) return;
    const timer = setTimeout(() => void navigate(to, { state }), limits.redirectDelayMs);
    return () => clearTimeout(timer);
  }, [saved, to, state, navigate]);

  const markSaved = (nextState?: object) => {
    setState(nextState);
    setSaved(true);
  };
  return { saved, markSaved };
}
