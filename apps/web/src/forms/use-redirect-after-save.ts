import { limits } from '@stoa/contracts/limits';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';

/** Leaves the good news on screen for a moment, then goes on. */
export function useRedirectAfterSave(to: string): { saved: boolean; markSaved: () => void } {
  const navigate = useNavigate();
  const [saved, setSaved] = useState(false);

  useEffect(() => {
    if (!saved) return;
    const timer = setTimeout(() => void navigate(to), limits.redirectDelayMs);
    return () => clearTimeout(timer);
  }, [saved, to, navigate]);

  return { saved, markSaved: () => setSaved(true) };
}
