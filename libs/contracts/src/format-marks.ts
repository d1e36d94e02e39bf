/** Bold, emphasis, and addresses. Marks touch what they mark, so that "5 * 4 * 3" stays; a full stop is none of an address. */
export const marked =
  /\*\*(\S(?:.*?\S)?)\*\*|\*([^\s*](?:[^*]*[^\s*])?)\*|(https?:\/\/[^\s<>"]*[^\s<>".,;:!?'*()[\]{}])/g;

/** The words without marks, where formats cannot be shown. */
export const withoutFormat = (text: string): string => text.replace(marked, '$1$2$3');
