import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { lazyOptional } from './lazy-optional.tsx';

const illustrations = () => import('./illustrations.tsx');
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
  return (
    <div
      role={role}
      className="border-line bg-surface rounded-card flex flex-col items-center gap-5 border border-dashed px-6 py-14 text-center"
    >
      <div className="h-24">{picture}</div>
      <Title className={classNames('max-w-prose', Title === 'p' ? 'text-lg' : 'text-2xl')}>{title}</Title>
      {children}
    </div>
  );
}

/** Nothing is here, and what one may do about it; `quiet` within a live region of the page. */
export function EmptyState({ quiet, ...props }: NoticeProps & { quiet?: boolean }) {
  return (
    <Panel {...props} role={quiet ? undefined : 'status'} picture={<EmptyArch className="h-24 w-auto" />} />
  );
}

/** Something went wrong, with the way to try again. */
export function ErrorState({
  onRetry,
  reference,
  children,
  ...rest
}: NoticeProps & {
  onRetry?: () => void;
  /** Under which the people who run the site find what happened. */
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

/** Goes away while it is tried again; a focus on it moves to the heading of its part of the page. */
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
