/** The numbers of the product, written once. Bytes are binary (1 MB as people see it is 1024 × 1024). */
export const limits = {
  profilePictureBytes: 2 * 1024 * 1024,
  coverImageBytes: 5 * 1024 * 1024,
  headerImageBytes: 5 * 1024 * 1024,
  offeringFileBytes: 200 * 1024 * 1024,
  /** What one offering delivers: files, what they weigh together, and a text beside them. */
  offeringFiles: 10,
  offeringFilesBytes: 1024 * 1024 * 1024,
  fileNoteLength: 140,
  deliveryTextLength: 4000,
  descriptionLength: 1000,
  bioLength: 2000,
  bioPreviewLength: 75,
  displayNameLength: 80,
  titleLength: 120,
  priceLength: 60,
  slugLength: 80,
  urlLength: 2048,
  searchLength: 100,
  paygates: 10,
  /** Links of a creator's own choice. */
  ownLinks: 10,
  linkLabelLength: 40,
  offeringsPerCreator: 100,
  /** Seats of a workshop. */
  seats: 10_000,
  /** After which a workshop that has no end counts as ended. */
  openEndHours: 3,
  passwordLength: 8,
  redirectDelayMs: 1500,
  browsePageSize: 24,
  /** Covers of offerings on a creator's card. */
  cardThumbnails: 3,
  /** Offerings of the page that home shows. */
  showcasedOfferings: 2,
  /** As far as lists count what they hold: a count without an end would cost more with every creator. */
  countedMatches: 1000,
  /** Keys that one request to a service may bring together. */
  batchSize: 100,
  /** Messages from one network address to one recipient, and to all of them: many people may share an address. */
  contactPerHour: 5,
  contactPerHourInAll: 30,
  /** Recipients of one and the same text within an hour. */
  contactSameText: 3,
  messageLength: 5000,
  relayedMessageDays: 30,
  /** Since a message to the operator was mailed. */
  operatorMessageDays: 30,
  /** Messages that wait for one creator to prove their address. */
  heldMessages: 50,
  /** Between two mails that let an account prove its address. */
  proofMailMinutes: 10,
  /** Mails within a day to an address that nobody has proved, whichever accounts name it. */
  unprovedMailsPerDay: 5,
  /** Mails within a day to a proved address, and those with notices about the security of its account. Further ones wait. */
  mailsPerDay: 30,
  noticesPerDay: 60,
  /** Of a User-Agent so much is read: the longest ones of browsers have half of it. */
  userAgentLength: 512,
  /** The longest life of a session, and of what is kept of its browser. */
  sessionDays: 30,
  /** How fresh a log-in is that an account may be deleted by, or a new payee published. */
  freshLoginMinutes: 10,
  /** How long a change of a link for payments stands in its owner's log. */
  linkChangeDays: 90,
  /** How long its owner may take it back by the mail about it. */
  linkUndoDays: 7,
  /** Mails about one such change each to one owner within a day. Further changes are gathered. */
  linkMailsPerDay: 10,
  /** Changes in one mail that gathers them. */
  linkMailChanges: 50,
  /** Days after its last use for which a payee needs no fresh log-in to be published again. */
  payeeDays: 90,
  /** As many of them as the log shows. */
  linkChangesShown: 100,
  /** Exports of an account that are begun within a day. */
  exportsPerDay: 3,
  /** For how long one gateway collects the records of an export before another may begin anew. */
  exportLeaseSeconds: 20,
  /** Without all of its records after so long, an export has failed. */
  exportCollectHours: 1,
  /** How long an export lies ready. */
  exportHours: 24,
  /** What the files and pictures of an export may weigh together. */
  exportBytes: 2 * 1024 * 1024 * 1024,
  /** Messages that one page of them holds: of the longest, 128 KB each, an answer over the bus holds no more than 60. */
  messagesPage: 25,
  /** Messages that are mailed on to one creator. */
  relayedPerDay: 100,
  /**
   * Of the room that is left for messages to one creator, one source may fill a part: of so many parts, an address has one. A
   * network (IPv4 /24, IPv6 /48) has one of fewer.
   */
  contactAddressParts: 10,
  contactNetworkParts: 4,
  /** Addresses in one file; search engines take 50,000, and a file of this size is one answer of a service. */
  sitemapPart: 10_000,
  /** Offerings beside those profiles; with them and the fixed pages a file stays below 50,000. */
  sitemapOfferings: 35_000,
  /** Visits that travel in one message. */
  visitBatch: 100,
  /** How long numbers of visits are kept: 13 months. */
  visitDays: 396,
  /** Days of numbers in one answer. */
  listedVisitDays: 92,
  /** After these days a visit that was not counted never is: until then it is known which were. */
  countableDays: 7,
  /** Offerings, and hosts of referrers, that are told apart for one creator and day. */
  visitSubjects: 200,
  visitReferrers: 50,
  /** Visitors of one creator that one network address may be in a day, and its visits whose referrer is noted. */
  visitorsPerAddress: 8,
  referrersPerAddress: 10,
  /** Reports of pages from one network address. */
  reportsPerHour: 10,
  reportLength: 1000,
  appealLength: 2000,
  /** Reports of one page that are kept until it is decided about. */
  reportsPerCase: 50,
  /** Of them, from one network (IPv4 /24, IPv6 /48) within a day. */
  reportsPerCaseAndNetwork: 3,
  /** Pages that one network reports within a day. */
  reportedPagesPerDay: 30,
  /** Days for which a dismissed page is not open again for the same reason, unless it changed or new networks report it. */
  dismissedDays: 30,
  reopeningNetworks: 5,
  /** Days for which nobody may take the username of a closed account. */
  usernameReservedDays: 90,
  /** How long a case is kept that is over, at most: two years. */
  reviewDays: 730,
  /** Links of one page that are looked at. */
  linksPerPage: 50,
  /** Looks that fail, hours apart, before a link is called dead. */
  deadLinkLooks: 3,
  /** Between two questions of its owner for another look at a dead link. */
  linkCheckMinutes: 10,
  /** Links in one answer about them. */
  checkedLinksPage: 200,
  /** Days after which a creator is mailed again of a link that worked meanwhile. */
  linkMailDays: 14,
  /** Cases that an operator's list shows: with all that is said of them they fit into one message of NATS. */
  reviewCases: 20,
} as const;
