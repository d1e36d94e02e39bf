import type { ProcessIdentity } from './process-identity.mjs';

export function tryLock(path: string): ProcessIdentity | undefined;
export function lock(path: string, onWait?: (owner: ProcessIdentity) => void): Promise<() => void>;
export function unlock(path: string): void;
export function readOwner(path: string): ProcessIdentity | undefined;
