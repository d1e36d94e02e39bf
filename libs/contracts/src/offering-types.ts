// Separate from choices.ts, which would add to the size of every card.

/** The types with their labels, in display order. */
export const offeringTypeLabels = {
  'PDF / Digital Download': 'PDF / Digital Download',
  eBook: 'eBook',
  Workshop: 'Workshop',
  Consultation: '1:1 Consultation',
  Course: 'Online Course',
  Other: 'Other',
} as const;

/** The label of a type. Empty for an unknown type. */
export const offeringTypeLabel = (type: keyof typeof offeringTypeLabels | ''): string =>
  type && offeringTypeLabels[type];
