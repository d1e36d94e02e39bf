import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';

/** Moves the focus to the input if a focused upload button disappears with its state. */
export function useKeepFocus(input: RefObject<HTMLInputElement | null>, step: string, value: unknown) {
  const held = useRef<Element>(undefined);
  useEffect(() => {
    if (held.current && !held.current.isConnected) input.current?.focus();
  }, [input, step, value]);
  return {
    onFocus: ({ target }: FocusEvent) => (held.current = target),
    onBlur: ({ target }: FocusEvent) => {
      // Some browsers report a removed element as having lost the focus.
      if (target.isConnected) held.current = undefined;
    },
  };
}

/** Whether files are dragged, and not text or a link. */
export function hasFiles({ dataTransfer }: { dataTransfer: DataTransfer | null }): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}

/** Prevents a file dropped beside the field from replacing the page and its unsaved text. */
export function useIgnoreStrayDrops(): void {
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    addEventListener('dragover', refuse);
    addEventListener('drop', refuse);
    return () => {
      removeEventListener('dragover', refuse);
      removeEventListener('drop', refuse);
    };
  }, []);
}
