import { useEffect, useState } from 'react';
import { useMyOfferings } from '../../api/creator/my-offerings.queries.ts';
import { useMe } from '../../auth/me.queries.ts';
import { useLinkHealth } from './dead-links.tsx';
import { useTakedowns } from './takedowns.tsx';

/** Longer than the reads take, and short enough for those who wait for one that hangs. */
const patienceMs = 1000;
/** The card at the top gets its height from the creator's record, so the other parts wait longer for it. */
const recordPatienceMs = 5000;

export type Notice = 'takedowns' | 'deadLinks' | 'proof' | 'steps';

/**
 * The notices that the dashboard shows above its other parts: those that are known before these appear.
 * Undefined until then. A notice that comes later has its place below, so that nothing moves.
 */
export function useEarlyNotices(): ReadonlySet<Notice> | undefined {
  const [early, setEarly] = useState<ReadonlySet<Notice>>();
  const [waitedMs, setWaitedMs] = useState(0);
  const me = useMe();
  const offerings = useMyOfferings();
  const takedowns = useTakedowns();
  const links = useLinkHealth();
  useEffect(() => {
    const timers = [patienceMs, recordPatienceMs].map((ms) => setTimeout(() => setWaitedMs(ms), ms));
    return () => timers.forEach(clearTimeout);
  }, []);
  const isWaiting =
    (me.isPending && waitedMs < recordPatienceMs) ||
    (waitedMs < patienceMs && [offerings, takedowns, links].some(({ isPending }) => isPending));
  // Set during rendering, as React recommends for state derived from the previous render.
  if (!early && !isWaiting) {
    const known = new Set<Notice>();
    if (takedowns.data?.items.length) known.add('takedowns');
    if (links.data?.items.length) known.add('deadLinks');
    if (me.data?.emailVerified === false) known.add('proof');
    if (me.data && offerings.data) known.add('steps');
    setEarly(known);
  }
  return early;
}
