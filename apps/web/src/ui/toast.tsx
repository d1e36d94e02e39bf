import * as RadixToast from '@radix-ui/react-toast';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { classNames } from './class-names.ts';
import { CloseIcon } from './icons.tsx';

interface Notice {
  id: number;
  kind: 'success' | 'failure';
  text: string;
  /** What one may go on with; it is also found elsewhere. */
  actions?: ReactNode;
}

/** Time to read, to decide and to get there; a pointer or the focus on it stops the clock. */
const withActionsMs = 20_000;

type Announce = (kind: Notice['kind'], text: string, actions?: ReactNode) => void;

const ToastContext = createContext<Announce>(() => {});

/** Shows a passing message over the header, one at a time, and announces it to screen readers. `text` has 60 characters at most. */
export function useToast(): Announce {
  return useContext(ToastContext);
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const notice = notices.at(-1);
  const announce = useCallback<Announce>((kind, text, actions) => {
    // What went wrong comes back after a later success, until it is dismissed.
    setNotices((current) => [
      ...current.filter((one) => one.kind === 'failure'),
      { id: Math.random(), kind, text, actions },
    ]);
  }, []);
  const remove = (id: number) => setNotices((current) => current.filter((one) => one.id !== id));

  return (
    <ToastContext value={announce}>
      <RadixToast.Provider duration={8_000}>
        {children}
        {notice && (
          <RadixToast.Root
            key={notice.id}
            type="foreground"
            // What went wrong stays until it is dismissed.
            duration={notice.kind === 'failure' ? Infinity : notice.actions ? withActionsMs : undefined}
            onOpenChange={(open) => !open && remove(notice.id)}
            className={classNames(
              'bg-surface shadow-lifted animate-rise rounded-card flex items-center justify-between gap-2 border-l-4 py-1.5 pr-2 pl-4',
              notice.kind === 'success' ? 'border-success' : 'border-danger',
            )}
          >
            <RadixToast.Description className="min-w-0 text-sm leading-snug font-medium [overflow-wrap:anywhere]">
              {notice.text}
            </RadixToast.Description>
            {notice.actions}
            <RadixToast.Close aria-label="Dismiss" className="text-muted hover:text-ink rounded-full p-2">
              <CloseIcon />
            </RadixToast.Close>
          </RadixToast.Root>
        )}
        {/* Over the header, which is as high: what one acts on in a page is never under it. */}
        <RadixToast.Viewport className="fixed inset-x-2 top-0 z-50 mx-auto max-w-md" />
      </RadixToast.Provider>
    </ToastContext>
  );
}
