import { limits } from '@stoa/contracts/limits';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';

/** Leaves the good news on screen for a moment, then goes on. `told` is what the next page learns of it. */
export function useRedirectAfterSave(to: string): { saved: boolean; markSaved: (told?: object) => void } {
  const navigate = useNavigate();
  const [saved, setSaved] = useState(false);
  const [state, setState] = useState<object>();

  useEffect(() => {
    if (!saved) return;
    const timer = setTimeout(() => void navigate(to, { state }), limits.redirectDelayMs);
    return () => clearTimeout(timer);
  }, [saved, to, state, navigate]);

  const markSaved = (told?: object) => {
    setState(told);
    setSaved(true);
  };
  return { saved, markSaved };
}
