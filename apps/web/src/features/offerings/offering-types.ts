import type { OfferingType } from '@stoa/contracts';

/** The types in the order of the list, with the words for those that are called differently on screen. */
export const offeringTypes: readonly { value: OfferingType; label: string }[] = [
  { value: 'PDF / Digital Download', label: 'PDF / Digital Download' },
  { value: 'eBook', label: 'eBook' },
  { value: 'Workshop', label: 'Workshop' },
  { value: 'Consultation', label: '1:1 Consultation' },
  { value: 'Course', label: 'Online Course' },
  { value: 'Other', label: 'Other' },
];

export const defaultOfferingType: OfferingType = 'PDF / Digital Download';
