// Without schemas: public pages import this file, and zod would add to their size.

export const niches = ['Writer', 'Artist', 'Healer', 'Coach', 'Musician', 'Poet'] as const;

/** The colour palettes for a creator's pages, in display order. The web app's palettes.css defines the colours. */
export const paletteLabels = {
  terracotta: 'Terracotta',
  olive: 'Olive',
  aegean: 'Aegean',
  indigo: 'Indigo',
  plum: 'Plum',
  graphite: 'Graphite',
} as const;

/** Each palette's page background in light and dark mode, for the browser's toolbars. Equal to the CSS. */
export const paletteGrounds = {
  terracotta: ['#f7f2e9', '#13100d'],
  olive: ['#f3f4e8', '#10100b'],
  aegean: ['#eaf5f7', '#0c1112'],
  indigo: ['#f0f2fa', '#0f1013'],
  plum: ['#f7f0f7', '#120f12'],
  graphite: ['#f3f2f0', '#10100f'],
} as const;

/** Each palette's colour of links and buttons in light and dark mode. Equal to the CSS. */
export const paletteAccents = {
  terracotta: ['#a8480f', '#f29a5e'],
  olive: ['#566024', '#b1bd85'],
  aegean: ['#036577', '#76c3d6'],
  indigo: ['#3e4db2', '#9cb1ff'],
  plum: ['#7d3a88', '#db9ae6'],
  graphite: ['#34383e', '#cdd1d8'],
} as const;

/** The layouts of the offerings on a profile, in display order. */
export const layoutLabels = { cards: 'Cards', list: 'List' } as const;

/** The states of an offering, with the labels on its owner's pages. */
export const offeringStateLabels = {
  draft: 'Draft',
  published: 'Published',
  hidden: 'Hidden',
  sold_out: 'Sold out',
  archived: 'Archived',
} as const;

export const defaultOfferingState = 'published';

type State = keyof typeof offeringStateLabels;

/** The states in which visitors see an offering. */
export const publicStates: readonly State[] = ['published', 'sold_out'];

export const isPublicState = (state: State): boolean => publicStates.includes(state);

interface OfferingVisibility {
  readonly state: State;
  readonly takenDown: boolean;
}

/** Whether visitors of a public profile see the offering: its state is public and no operator has hidden it. */
export const isPublicOffering = ({ state, takenDown }: OfferingVisibility): boolean =>
  isPublicState(state) && !takenDown;

/** The reasons for reporting or hiding a page, in the words of the Community Guidelines. */
export const guidelineLabels = {
  impersonation: 'Do not pretend to be somebody else.',
  adults: 'You are 18 or older, and so is everybody who is offered something here that is meant for adults.',
  rights: 'Offer only what you made or may sell.',
  misleading: 'Say plainly what a buyer gets, what it costs and how they get it. Then deliver it.',
  payment_link: 'Payment links lead to your own account at a payment provider, and nowhere else.',
  cures: 'Do not promise cures.',
  hatred: 'No hatred, threats or harassment of any person or group.',
  minors: 'No sexual content involving minors, ever.',
  private_information: 'No private information about other people without their consent.',
  violence: 'No glorifying of violence or of harming oneself.',
  fraud: 'No malware, no phishing, no pyramid schemes, no fake reviews, no spam.',
  unlawful: 'No weapons, drugs, stolen goods or anything else that may not lawfully be sold.',
} as const;

export const defaultOfferingType = 'PDF / Digital Download';
