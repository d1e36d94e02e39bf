import type { ReactNode } from 'react';
import { BrandMark } from '../../ui/brand.tsx';

/** Shown on the way to the sign-in server and back. */
export function SignInWaiting({ children }: { children: ReactNode }) {
  return (
    <div role="status" className="grid justify-items-center gap-6 py-20">
      <BrandMark className="animate-breathe size-16" />
      <p className="text-muted text-lg">{children}</p>
    </div>
  );
}
