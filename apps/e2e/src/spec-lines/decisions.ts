/** Rules that the product specification leaves open and the design decides. */
export const decisions = {
  'd.username.rules': 'Username: 3 to 30 of a-z 0-9 _ -.',
  'd.username.unique': 'Username: unique, whatever its case.',
  'd.username.reserved': 'Username: not a reserved word.',
  'd.username.fixed': 'Username: fixed after sign-up.',
  'd.browse.address': 'Search and niche live in the URL.',
  'd.browse.wildcards': 'Searches take % and _ literally and fold accents.',
  'd.links.scheme': 'Links: http and https only.',
  'd.links.server': 'Links: checked on the server.',
  'd.links.credentials': 'Links: no credentials in them.',
  'd.links.rel': 'Links: opened with rel="noopener noreferrer nofollow".',
  'd.terms': '/terms answers with a redirect to /terms-of-service.',
  'd.download.guarded': '/download/{creatorId}/{offeringId} is guarded as listed.',
  'd.download.size': 'Downloadable file of an offering: optional, up to 200 MB.',
  'd.download.rotated':
    "A buyer without an account reaches the download page with the offering's delivery key, which the creator can rotate.",
  'd.contact.form': 'A creator may switch Contact Me to a form that relays mail and hides the address.',
  'd.contact.mailed': "The contact form is stored and mailed to the operator's address.",
  'd.contact.limit':
    'Five messages an hour to one recipient, thirty in all; then: Several messages have come from your network within the hour. Please try again in … minutes.',
  'd.contact.outage': 'A message taken while the mail server is down is mailed when it is back.',
  'd.sample-profile': 'Seeding creates the sample profile that the featured cards link to.',
  'd.not-found': 'An unknown address says so.',
  'd.guard.return': 'Login leads to where the guard caught you.',
} as const;
