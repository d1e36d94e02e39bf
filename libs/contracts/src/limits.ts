/**
 * The limits of the product. Bytes are binary (1 MB on screen is 1024 × 1024 bytes). docs/reference/limits.md is generated
 * from the comments.
 */
export const limits = {
  /** bytes of a profile picture */
  profilePictureBytes: 2 * 1024 * 1024,
  /** bytes of a cover */
  coverImageBytes: 5 * 1024 * 1024,
  /** bytes of the wide picture above a profile */
  headerImageBytes: 5 * 1024 * 1024,
  /** bytes of one file of an offering */
  offeringFileBytes: 200 * 1024 * 1024,
  /** files of an offering */
  offeringFiles: 10,
  /** bytes of all files of an offering */
  offeringFilesBytes: 1024 * 1024 * 1024,
  /** characters of a note on a replaced file */
  fileNoteLength: 140,
  /** characters of the text for buyers */
  deliveryTextLength: 4000,
  /** characters of a description, counted as graphemes */
  descriptionLength: 1000,
  /** characters of a bio */
  bioLength: 2000,
  /** characters of a bio on a card */
  bioPreviewLength: 75,
  /** characters of a display name */
  displayNameLength: 80,
  /** characters of a title */
  titleLength: 120,
  /** characters of a price */
  priceLength: 60,
  /** characters of the slug of an offering */
  slugLength: 80,
  /** characters of a link */
  urlLength: 2048,
  /** characters of a search */
  searchLength: 100,
  /** payment links of a creator, each with name and URL */
  paygates: 10,
  /** other links of a creator, each with label and URL */
  ownLinks: 10,
  /** characters of the label of such a link */
  linkLabelLength: 40,
  /** offerings of a creator */
  offeringsPerCreator: 100,
  /** seats of a workshop */
  seats: 10_000,
  /** hours after the start until a workshop without an end is over */
  openEndHours: 3,
  /** least characters of a password */
  passwordLength: 8,
  /** milliseconds between a save and the next page */
  redirectDelayMs: 1500,
  /** creators on a page of the list, if the request names no number */
  browsePageSize: 24,
  /** covers of offerings on the card of a creator */
  cardThumbnails: 3,
  /** offerings of the profile on the home page */
  showcasedOfferings: 2,
  // An unlimited count would become slower with every creator.
  /** matches of a list that are counted exactly */
  countedMatches: 1000,
  /** keys in one batch request between services */
  batchSize: 100,
  // Many people can share a network address.
  /** messages an hour from one network address to one recipient */
  contactPerHour: 5,
  /** messages an hour from one network address to all recipients */
  contactPerHourInAll: 30,
  /** recipients of the same text from one network address in an hour */
  contactSameText: 3,
  /** characters of a message */
  messageLength: 5000,
  /** days for which a relayed message is kept */
  relayedMessageDays: 30,
  /** days for which a mailed message to the operator is kept */
  operatorMessageDays: 30,
  /** messages held until a creator confirms the email address */
  heldMessages: 50,
  /** minutes between two confirmation mails */
  proofMailMinutes: 10,
  /** mails a day to an unconfirmed address */
  unprovedMailsPerDay: 5,
  /** mails a day to one mailbox; further mails wait */
  mailsPerDay: 30,
  /** mails a day to one mailbox, security notices included */
  noticesPerDay: 60,
  // The longest User-Agent of a browser has half of it.
  /** characters of a User-Agent that are read */
  userAgentLength: 512,
  /** days of the longest session, and of the stored browser name */
  sessionDays: 30,
  /** minutes for which a log-in counts as recent */
  freshLoginMinutes: 10,
  /** days for which a change of a payment link is logged */
  linkChangeDays: 90,
  /** days for which the mailed link can undo such a change */
  linkUndoDays: 7,
  /** mails a day to one owner that report a single change */
  linkMailsPerDay: 10,
  /** changes in one mail that combines several */
  linkMailChanges: 50,
  /** days after its last use for which a payee needs no recent log-in */
  payeeDays: 90,
  /** changes that the log shows */
  linkChangesShown: 100,
  /** exports of an account a day */
  exportsPerDay: 3,
  /** seconds of the lease under which a gateway collects an export */
  exportLeaseSeconds: 20,
  /** hours after which an incomplete export fails */
  exportCollectHours: 1,
  /** hours for which an export can be downloaded */
  exportHours: 24,
  /** bytes of files and pictures in an export */
  exportBytes: 2 * 1024 * 1024 * 1024,
  // A NATS message holds at most 60 of the longest messages, which have 128 KB each.
  /** messages in one page of received messages */
  messagesPage: 25,
  /** messages a day to one creator, from all senders */
  relayedPerDay: 100,
  /** divisor of the free message quota that gives the share of one address */
  contactAddressParts: 10,
  /** divisor of it for one network (IPv4 /24, IPv6 /48) */
  contactNetworkParts: 4,
  // A sitemap file may have 50,000 URLs (sitemaps.org): profiles, offerings and the fixed pages.
  /** creators in one file of the sitemap */
  sitemapPart: 10_000,
  /** offerings of those creators in that file */
  sitemapOfferings: 35_000,
  /** visits in one message between processes */
  visitBatch: 100,
  /** days for which visit counts are kept */
  visitDays: 396,
  /** days of visit counts in one response */
  listedVisitDays: 92,
  /** days within which a delayed visit is still counted */
  countableDays: 7,
  /** offerings with a count of their own per creator and day; the others share one */
  visitSubjects: 200,
  /** referrer hosts with a count of their own per creator and day */
  visitReferrers: 50,
  /** visitors of one creator a day that one network address can stand for */
  visitorsPerAddress: 8,
  /** visits a day from one address to one creator whose referrer is counted */
  referrersPerAddress: 10,
  /** reports an hour from one network address */
  reportsPerHour: 10,
  /** characters of a report and of a decision */
  reportLength: 1000,
  /** characters of an appeal */
  appealLength: 2000,
  /** reports kept per open case */
  reportsPerCase: 50,
  /** of these, reports from one network (IPv4 /24, IPv6 /48) in a day */
  reportsPerCaseAndNetwork: 3,
  /** pages that one network reports in a day */
  reportedPagesPerDay: 30,
  /** days for which a repeated report of a dismissed page only adds to the count */
  dismissedDays: 30,
  /** new networks in a day whose reports reopen a dismissed case */
  reopeningNetworks: 5,
  /** days for which the username of a closed account is reserved */
  usernameReservedDays: 90,
  /** days after which a closed case is deleted at the latest */
  reviewDays: 730,
  /** links of one page that are checked */
  linksPerPage: 50,
  /** failed checks, hours apart, that make a link dead */
  deadLinkLooks: 3,
  /** minutes between two requests to check a dead link again */
  linkCheckMinutes: 10,
  /** links in one response */
  checkedLinksPage: 200,
  /** days before a link that recovered can be mailed again */
  linkMailDays: 14,
  // A page with all texts of its cases fits into one NATS message.
  /** cases in one page of the moderation queue */
  reviewCases: 20,
} as const;
