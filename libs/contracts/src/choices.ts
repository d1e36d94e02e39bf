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

export const defaultOfferingType = 'PDF / Digital Download';
