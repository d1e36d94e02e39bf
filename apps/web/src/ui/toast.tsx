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

/** Shows a passing message over the page, and says it to screen readers. */
export function useToast(): Announce {
  return useContext(ToastContext);
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const announce = useCallback<Announce>((kind, text, actions) => {
    // One at a time, but for what went wrong, which stays until it is dismissed.
    setNotices((current) => [
      ...current.filter((notice) => notice.kind === 'failure'),
      { id: Math.random(), kind, text, actions },
    ]);
  }, []);
  const remove = (id: number) => setNotices((current) => current.filter((notice) => notice.id !== id));

  return (
    <ToastContext value={announce}>
      <RadixToast.Provider duration={8_000}>
        {children}
        {notices.map(({ id, kind, text, actions }) => (
          <RadixToast.Root
            key={id}
            type="foreground"
            // What went wrong stays until it is dismissed.
            duration={kind === 'failure' ? Infinity : actions ? withActionsMs : undefined}
            onOpenChange={(open) => !open && remove(id)}
            className={classNames(
              'bg-surface shadow-lifted animate-rise rounded-card flex items-center justify-between gap-3 border-l-4 py-3 pr-3 pl-5',
              kind === 'success' ? 'border-success' : 'border-danger',
            )}
          >
            <div className="grid min-w-0 gap-3 [overflow-wrap:anywhere]">
              <RadixToast.Description className="font-medium">{text}</RadixToast.Description>
              {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
            </div>
            <RadixToast.Close aria-label="Dismiss" className="text-muted hover:text-ink rounded-full p-2">
              <CloseIcon />
            </RadixToast.Close>
          </RadixToast.Root>
        ))}
        <RadixToast.Viewport className="fixed inset-x-4 bottom-4 z-50 grid max-w-sm gap-3" />
      </RadixToast.Provider>
    </ToastContext>
  );
}
