import type { ComponentPropsWithRef } from 'react';
import { buttonClass } from '../../ui/button.tsx';
import { UploadIcon } from '../../ui/icons/editor-icons.tsx';

type FileInputProps = Omit<ComponentPropsWithRef<'input'>, 'type' | 'className' | 'id'> & {
  /** The id of its label is `<id>-label`. */
  id: string;
};

/**
 * The browser's file input, invisible above a styled button, so that keyboard, pointer and screen reader work
 * as usual.
 */
export function FileInput(props: FileInputProps) {
  return (
    <span className="relative inline-flex max-w-full justify-self-start rounded-full outline-offset-2 outline-(--ring) has-focus-visible:outline-3">
      <span
        id={`${props.id}-button`}
        aria-hidden="true"
        className={`${buttonClass('secondary', 'small')} [:has(>:enabled:hover)>&]:border-accent [:has(>:enabled:hover)>&]:text-accent [:has(>:disabled)>&]:opacity-60`}
      >
        <UploadIcon /> {props.multiple ? 'Choose files' : 'Choose a file'}
      </span>
      <input
        {...props}
        type="file"
        // The name includes the visible words, for voice control.
        aria-labelledby={`${props.id}-label ${props.id}-button`}
        className="absolute inset-0 w-full cursor-pointer rounded-full opacity-0 file:h-full file:w-full file:cursor-pointer disabled:cursor-not-allowed"
      />
    </span>
  );
}
