/** What the fields take whose texts `FormattedText` shows. */
export const formatHint =
  'An empty line begins a paragraph, “- ” a point of a list; **bold**, *emphasis*, and web addresses become links.';
