/** Chapter 1 of the product specification: the purpose of the product. */
export const product = {
  '1.creators': 'Creators sign up for free, build a public profile and list offerings.',
  '1.visitors': 'Visitors browse and search creators and view profiles without an account.',
  '1.payment-link': 'Each offering carries a creator-supplied payment link, and visitors are sent to it.',
  '1.profile': 'A public profile: display name, bio, picture, niches, social links, payment links.',
  '1.dashboard': 'Creators manage profile and offerings from a dashboard.',
  '1.no-payments': 'It takes no commission and does not process payments.',
  '1.header': 'The site has a header with a brand link and navigation.',
  '1.footer': 'A footer with a copyright line and legal links.',
} as const;
