// No schema in here: a page that offers these need not weigh a schema library.

export const niches = ['Writer', 'Artist', 'Healer', 'Coach', 'Musician', 'Poet'] as const;

/** The types of an offering, in the order of the list, with the words on screen. */
export const offeringTypeLabels = {
  'PDF / Digital Download': 'PDF / Digital Download',
  eBook: 'eBook',
  Workshop: 'Workshop',
  Consultation: '1:1 Consultation',
  Course: 'Online Course',
  Other: 'Other',
} as const;

/** What an offering can be to visitors, with the words on its owner's screens. */
export const offeringStateLabels = {
  draft: 'Draft',
  published: 'Published',
  hidden: 'Hidden',
  sold_out: 'Sold out',
  archived: 'Archived',
} as const;

export const defaultOfferingState = 'published';

/** Whether visitors see an offering in this state, anywhere. */
export function isPublicState(state: keyof typeof offeringStateLabels): boolean {
  return state === 'published' || state === 'sold_out';
}

export const defaultOfferingType = 'PDF / Digital Download';
