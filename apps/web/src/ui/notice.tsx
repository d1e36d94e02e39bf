import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { lazyOptional } from './lazy-optional.tsx';
import { StatusRegion } from './live-region.tsx';

const illustrations = () => import('./pictures/illustrations.tsx');
const EmptyArch = lazyOptional(async () => (await illustrations()).EmptyArch);
const FallenColumn = lazyOptional(async () => (await illustrations()).FallenColumn);

interface NoticeProps {
  title: string;
  titleLevel?: 'h1' | 'h2' | 'p';
  children?: ReactNode;
}

function Panel({
  title,
  titleLevel: Title = 'p',
  picture,
  children,
  role,
}: NoticeProps & { picture: ReactNode; role?: 'alert' | 'status' }) {
  const heading = (
    <Title className={classNames('max-w-prose', Title === 'p' ? 'text-lg' : 'text-2xl')}>{title}</Title>
  );
  return (
    <div
      role={role === 'alert' ? role : undefined}
      className="border-line bg-surface rounded-card flex flex-col items-center gap-5 border border-dashed px-6 py-14 text-center"
    >
      <div className="h-24">{picture}</div>
      {role === 'status' ? <StatusRegion className="min-h-lh text-lg">{heading}</StatusRegion> : heading}
      {children}
    </div>
  );
}

/** Shows that a list is empty, and what the user can do. `quiet`: the page has its own live region. */
export function EmptyState({ quiet, ...props }: NoticeProps & { quiet?: boolean }) {
  return (
    <Panel {...props} role={quiet ? undefined : 'status'} picture={<EmptyArch className="h-24 w-auto" />} />
  );
}

/** Shows an error and a retry. */
export function ErrorState({
  onRetry,
  reference,
  children,
  ...rest
}: NoticeProps & {
  onRetry?: () => void;
  /** The reference under which operators find the failure. */
  reference?: string | undefined;
}) {
  return (
    <Panel {...rest} role="alert" picture={<FallenColumn className="h-24 w-auto" />}>
      {onRetry && <TryAgain onRetry={onRetry} />}
      {children}
      {reference && (
        <p className="text-muted text-sm">
          Reference: <code className="break-all select-all">{reference}</code>
        </p>
      )}
    </Panel>
  );
}

/** Disappears during the retry. If it had the focus, the focus moves to the heading of its section. */
export function TryAgain({ onRetry }: { onRetry: () => void }) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const here = place.current;
    return () => {
      if (!here?.contains(document.activeElement)) return;
      const part = here.closest<HTMLElement>('section, main');
      const heading = part?.querySelector<HTMLElement>(':is(h1, h2):not([role="alert"] *)') ?? part;
      if (heading) heading.tabIndex = -1;
      heading?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <span ref={place}>
      <Button look="secondary" onClick={onRetry}>
        Try again
      </Button>
    </span>
  );
}

/** A message inside a page or form. The caller decides whether it is a live region. */
export function Message({ kind, children }: { kind: 'success' | 'failure'; children: ReactNode }) {
  return (
    <div
      className={classNames(
        'rounded-card px-5 py-4 font-medium',
        kind === 'success' ? 'bg-success-soft text-success' : 'bg-danger-soft text-danger',
      )}
    >
      {children}
    </div>
  );
}
