/** Explains the format of fields whose text `FormattedText` shows. */
export const formatHint =
  'An empty line begins a paragraph, “- ” a point of a list; **bold**, *emphasis*, and web addresses become links.';
