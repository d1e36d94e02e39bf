import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';

/** A button of an upload goes away with its state; a focus on it moves to the input. */
export function useKeepFocus(input: RefObject<HTMLInputElement | null>, step: string, value: unknown) {
  const held = useRef<Element>(undefined);
  useEffect(() => {
    if (held.current && !held.current.isConnected) input.current?.focus();
  }, [input, step, value]);
  return {
    onFocus: ({ target }: FocusEvent) => (held.current = target),
    onBlur: ({ target }: FocusEvent) => {
      // An element that is taken away may say that it lost the focus, too.
      if (target.isConnected) held.current = undefined;
    },
  };
}

/** Files, and not text or a link that is dragged into a field. */
export function hasFiles({ dataTransfer }: { dataTransfer: DataTransfer | null }): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}

/** A file that misses the field would replace the page, and everything typed on it. */
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
