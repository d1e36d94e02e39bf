// Apart from other choices, which would weigh on every card.

/** The types of an offering, in the order of the list, with the words on screen. */
export const offeringTypeLabels = {
  'PDF / Digital Download': 'PDF / Digital Download',
  eBook: 'eBook',
  Workshop: 'Workshop',
  Consultation: '1:1 Consultation',
  Course: 'Online Course',
  Other: 'Other',
} as const;

/** What a type is called on every screen; nothing for an offering from before there were types. */
export const offeringTypeLabel = (type: keyof typeof offeringTypeLabels | ''): string =>
  type && offeringTypeLabels[type];
