import { useId } from 'react';

/** The error of a group of controls: its element, and the attributes that link it to the fieldset. */
export function useGroupError(error: string | undefined) {
  const id = useId();
  if (!error) return { props: {}, message: null };
  return {
    // Focusable, as every field with an error is.
    props: { 'aria-invalid': true, 'aria-describedby': id, tabIndex: -1 },
    message: (
      <p id={id} className="text-danger mt-2 text-sm font-medium">
        {error}
      </p>
    ),
  };
}
