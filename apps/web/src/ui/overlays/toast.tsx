import * as RadixToast from '@radix-ui/react-toast';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { classNames } from '../class-names.ts';
import { CloseIcon } from '../icons/icons.tsx';

interface Notice {
  id: number;
  kind: 'success' | 'failure';
  text: string;
  /** Optional next steps, which are also available elsewhere. */
  actions?: ReactNode;
}

/** Enough time to read, decide and reach an action. Hover and focus pause the timer. */
const withActionsMs = 20_000;

type Announce = (kind: Notice['kind'], text: string, actions?: ReactNode) => void;

const ToastContext = createContext<Announce>(() => {});

/**
 * Shows a temporary message over the header, one at a time, and announces it to screen readers. `text`: 60
 * characters at most.
 */
export function useToast(): Announce {
  return useContext(ToastContext);
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const notice = notices.at(-1);
  const announce = useCallback<Announce>((kind, text, actions) => {
    // A failure reappears after a later success until it is dismissed.
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
            // A failure stays until it is dismissed.
            duration={notice.kind === 'failure' ? Infinity : notice.actions ? withActionsMs : undefined}
            onOpenChange={(open) => !open && remove(notice.id)}
            className={classNames(
              'bg-surface shadow-lifted animate-rise rounded-card flex flex-wrap items-center gap-2 border-l-4 py-1.5 pr-2 pl-4 max-sm:gap-1 max-sm:py-0.5 max-sm:pr-0 max-sm:pl-2.5',
              notice.kind === 'success' ? 'border-success' : 'border-danger',
            )}
          >
            <RadixToast.Description className="min-w-12 flex-1 text-sm leading-snug font-medium [overflow-wrap:anywhere] max-sm:text-xs">
              {notice.text}
            </RadixToast.Description>
            <div className="contents [&>button]:whitespace-nowrap max-sm:[&>button]:gap-1 max-sm:[&>button]:px-2">
              {notice.actions}
            </div>
            <RadixToast.Close
              aria-label="Dismiss"
              className="text-muted hover:text-ink rounded-full p-2 max-sm:p-1.5"
            >
              <CloseIcon />
            </RadixToast.Close>
          </RadixToast.Root>
        )}
        {/* Over the header and as high, so that it covers no action of the page and no header button on a
            phone. */}
        <RadixToast.Viewport className="fixed inset-x-2 top-0 z-50 mx-auto max-w-md max-md:right-29" />
      </RadixToast.Provider>
    </ToastContext>
  );
}
