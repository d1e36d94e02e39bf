import { useId } from 'react';

/** What is wrong with a group of controls as a whole: the words, and what ties them to their fieldset. */
export function useGroupError(error: string | undefined) {
  const id = useId();
  if (!error) return { props: {}, message: null };
  return {
    // It can take the focus, as every field with an error can.
    props: { 'aria-invalid': true, 'aria-describedby': id, tabIndex: -1 },
    message: (
      <p id={id} className="text-danger mt-2 text-sm font-medium">
        {error}
      </p>
    ),
  };
}
