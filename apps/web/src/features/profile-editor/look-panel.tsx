import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { EyeIcon } from '../../ui/icons/editor-icons.tsx';

const id = 'look';

/** Shown beside the form. On a small screen a button in the save bar opens it over the form. */
export function LookPanel({ children }: { children: ReactNode }) {
  return (
    <aside
      id={id}
      popover="auto"
      aria-label="Preview"
      className="rounded-card shadow-lifted max-lg:bg-paper max-lg:border-line max-lg:fixed max-lg:inset-x-3 max-lg:top-auto max-lg:bottom-3 max-lg:m-auto max-lg:max-h-[calc(100dvh-1.5rem)] max-lg:max-w-md max-lg:overflow-y-auto max-lg:border max-lg:p-2 lg:sticky lg:inset-auto lg:top-24 lg:m-0 lg:block lg:max-h-[calc(100dvh-7rem)] lg:w-full lg:overflow-y-auto lg:border-0 lg:bg-transparent lg:p-0"
    >
      {children}
      <div className="mt-3 flex justify-end lg:hidden">
        <Button look="secondary" size="small" popoverTarget={id} popoverTargetAction="hide">
          Close Preview
        </Button>
      </div>
    </aside>
  );
}

export function OpenLookPanel() {
  return (
    <Button
      look="secondary"
      popoverTarget={id}
      aria-label="Preview"
      title="Preview"
      className="w-12 px-0! lg:hidden"
    >
      <EyeIcon />
    </Button>
  );
}
