// Every name of our own, and every metric that dashboards and alerts may stand on. docs/telemetry.md holds the same
// list for people; a test keeps the two together.

import { attributes, type Metric } from './attributes.ts';

export { attributes, type Metric };

export const tracerName = '@stoa/telemetry';

/**
 * Where our histograms of durations count, in seconds: OpenTelemetry's advice for HTTP, which its instrumentation
 * follows by itself. An objective between two of them cannot be measured.
 */
export const durationBounds = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
] as const;

const errorType = 'error.type';
const rpc = ['rpc.system.name', 'rpc.method', 'rpc.response.status_code', errorType];
const messaging = ['messaging.system', 'messaging.operation.name', 'messaging.destination.name', errorType];
const group = 'messaging.consumer.group.name';
const pool = 'db.client.connection.pool.name';

/** What our own code measures. */
export const metrics = {
  httpActive: {
    name: 'http.server.active_requests',
    kind: 'upDown',
    unit: '{request}',
    attributes: ['http.request.method'],
    description: 'HTTP requests being answered.',
  },
  answersLate: {
    name: 'stoa.answers.late',
    kind: 'counter',
    unit: '{answer}',
    attributes: [attributes.answerKind],
    description:
      'Answers of the gateway that waited too long for something until they began: a page 250 ms, another read 2 s, a write 5 s from when its body has been read, and undoing a change of an account 20 s. Of plain public reads a sample.',
  },
  rpcClientDuration: {
    name: 'rpc.client.call.duration',
    kind: 'histogram',
    unit: 's',
    attributes: rpc,
    description: 'Requests over NATS, from question to answer, as the asking side sees them.',
  },
  rpcServerDuration: {
    name: 'rpc.server.call.duration',
    kind: 'histogram',
    unit: 's',
    attributes: rpc,
    description: 'Requests over NATS, as the answering side sees them, without their time in the queue.',
  },
  requestsInFlight: {
    name: 'stoa.requests.in_flight',
    kind: 'gauge',
    unit: '{request}',
    attributes: [],
    description: 'NATS requests being worked on; REQUEST_CONCURRENCY bounds them.',
  },
  requestsWaiting: {
    name: 'stoa.requests.waiting',
    kind: 'gauge',
    unit: '{request}',
    attributes: [],
    description: 'NATS requests that wait for a free place; beyond REQUEST_BACKLOG they are refused.',
  },
  requestsOverdue: {
    name: 'stoa.requests.overdue',
    kind: 'gauge',
    unit: '{request}',
    attributes: [],
    description:
      'NATS requests that are still worked on though nobody waits any more; eight for each place of REQUEST_CONCURRENCY, then they keep theirs.',
  },
  requestsOverran: {
    name: 'stoa.requests.overran',
    kind: 'counter',
    unit: '{request}',
    attributes: ['rpc.method'],
    description: 'NATS requests that were not done when their time was over; their place went to others.',
  },
  requestsClocksApart: {
    name: 'stoa.requests.clocks_apart',
    kind: 'counter',
    unit: '{request}',
    attributes: [],
    description:
      'NATS requests refused because the clocks of gateway and service differ by more than 30 s: set them by NTP.',
  },
  publishDuration: {
    name: 'messaging.client.operation.duration',
    kind: 'histogram',
    unit: 's',
    attributes: messaging,
    description: 'Publishing an event of the outbox, until the stream has it on disk.',
  },
  processDuration: {
    name: 'messaging.process.duration',
    kind: 'histogram',
    unit: 's',
    attributes: [...messaging, group],
    description: 'Handling one delivery of an event.',
  },
  eventsPending: {
    name: 'stoa.events.pending',
    kind: 'gauge',
    unit: '{event}',
    attributes: [group],
    description: 'Consumer lag: events that the durable consumer has not been given yet.',
  },
  eventsUnacknowledged: {
    name: 'stoa.events.unacknowledged',
    kind: 'gauge',
    unit: '{event}',
    attributes: [group],
    description: 'Events that were delivered and are neither handled nor given up.',
  },
  eventsDead: {
    name: 'stoa.events.dead',
    kind: 'counter',
    unit: '{event}',
    attributes: [group, 'messaging.destination.name'],
    description: 'Events that became dead letters.',
  },
  eventsDropped: {
    name: 'stoa.events.dropped',
    kind: 'counter',
    unit: '{item}',
    attributes: ['messaging.destination.name'],
    description: 'Visits that were not counted, because the stream was away for longer than memory lasts.',
  },
  eventsKept: {
    name: 'stoa.events.kept',
    kind: 'gauge',
    unit: '{item}',
    attributes: ['messaging.destination.name'],
    description: 'Visits that this process keeps in memory until the stream has them.',
  },
  eventsKeptAge: {
    name: 'stoa.events.kept.age',
    kind: 'gauge',
    unit: 's',
    attributes: ['messaging.destination.name'],
    description: 'Age of the oldest visit that is kept in memory; 0 when there is none.',
  },
  outboxRows: {
    name: 'stoa.outbox.rows',
    kind: 'gauge',
    unit: '{event}',
    attributes: [],
    description: 'Events that are recorded and not yet on the stream, counted up to 10000.',
  },
  outboxAge: {
    name: 'stoa.outbox.age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Age of the oldest event that is not yet on the stream; 0 when there is none.',
  },
  outboxSetAside: {
    name: 'stoa.outbox.set_aside',
    kind: 'gauge',
    unit: '{event}',
    attributes: [],
    description: 'Events that the stream refused for good; they stay in the outbox until somebody acts.',
  },
  issuerReachable: {
    name: 'stoa.issuer.reachable',
    kind: 'gauge',
    unit: '{issuer}',
    attributes: [],
    description:
      "1 when Keycloak gives this gateway the realm's keys, 0 when it does not; asked at each export.",
  },
  sessionEndsAge: {
    name: 'stoa.session_ends.age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Time for which this gateway may have missed that a session ended; 0 while it misses none.',
  },
  realmAge: {
    name: 'stoa.realm.age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description:
      "Time since Keycloak's events were last read to their end: sessions that ended since then still open the API.",
  },
  deletionsAge: {
    name: 'stoa.deletions.age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description:
      'Time since the oldest unfinished deletion of an account was asked for; 0 when there is none.',
  },
  exportsAge: {
    name: 'stoa.exports.age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Time since the oldest unfinished export of an account was due; 0 when there is none.',
  },
  mailAge: {
    name: 'stoa.mail.age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description:
      "Age of the oldest message that waits to be mailed; 0 when there is none. A creator's mailbox that refuses for good is left out.",
  },
  linksLooked: {
    name: 'stoa.links.looked',
    kind: 'counter',
    unit: '{look}',
    attributes: [attributes.linkOutcome],
    description: 'Looks at published links.',
  },
  linksAge: {
    name: 'stoa.links.age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Time since the link was due that has waited longest for a look; 0 when none waits.',
  },
  workerAge: {
    name: 'stoa.worker.age',
    kind: 'gauge',
    unit: 's',
    attributes: [attributes.workerName],
    description: 'Time since the last round of a worker that ended well.',
  },
  workerOverdue: {
    name: 'stoa.worker.overdue',
    kind: 'gauge',
    unit: 's',
    attributes: [attributes.workerName],
    description:
      'Time for which a round of a worker should have ended well by now: after two pauses and the longest time of a round; 0 while it is in time.',
  },
  pagesReported: {
    name: 'stoa.pages.reported',
    kind: 'counter',
    unit: '{report}',
    attributes: [],
    description: 'Reports of profiles and offerings that wait for an operator.',
  },
  reviewsWaiting: {
    name: 'stoa.reviews.waiting',
    kind: 'gauge',
    unit: '{case}',
    attributes: [],
    description: 'Reported pages and appeals that wait for an operator.',
  },
  reviewsAge: {
    name: 'stoa.reviews.age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description:
      'Time for which the oldest report or appeal has waited for an operator; 0 when there is none.',
  },
  creatorsOpened: {
    name: 'stoa.creators.opened',
    kind: 'counter',
    unit: '{creator}',
    attributes: [],
    description: 'Sign-ups: creators whose record was made.',
  },
  offeringsPublished: {
    name: 'stoa.offerings.published',
    kind: 'counter',
    unit: '{offering}',
    attributes: [],
    description: 'Offerings created.',
  },
  countsMended: {
    name: 'stoa.offering_counts.mended',
    kind: 'counter',
    unit: '{count}',
    attributes: [],
    description: "Counts of a creator's public offerings that were wrong and were mended.",
  },
  uploadsCompleted: {
    name: 'stoa.uploads.completed',
    kind: 'counter',
    unit: '{upload}',
    attributes: [attributes.uploadPurpose],
    description: 'Uploads that were checked and kept.',
  },
  cardsDrawn: {
    name: 'stoa.preview_cards.drawn',
    kind: 'counter',
    unit: '{card}',
    attributes: [],
    description: 'Preview cards that were drawn; one that lies there already is not drawn again.',
  },
  contactReceived: {
    name: 'stoa.contact.received',
    kind: 'counter',
    unit: '{message}',
    attributes: [],
    description: 'Contact messages stored, repeats not counted.',
  },
  contactMailed: {
    name: 'stoa.contact.mailed',
    kind: 'counter',
    unit: '{message}',
    attributes: [],
    description: 'Contact messages that the mail server took.',
  },
  backupTime: {
    name: 'stoa.backup.time',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'When all was as the newest backup has it, in seconds since 1970; told once by each backup.',
  },
  retentionTime: {
    name: 'stoa.backup.retention.time',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'When a backup last removed what was to go, in seconds since 1970; told by each that did.',
  },
} as const satisfies Record<string, Metric>;

const server = ['server.address', 'server.port'];
const http = ['http.request.method', 'http.response.status_code', 'network.protocol.version', errorType];

const loopDelay = <S extends string>(statistic: S) => ({
  name: `nodejs.eventloop.delay.${statistic}` as const,
  kind: 'gauge' as const,
  unit: 's',
  attributes: [],
  description: `Event loop lag since the last export: ${statistic}.`,
});

/** What the instrumentation libraries measure and others rely on. */
export const libraryMetrics = {
  httpServerDuration: {
    name: 'http.server.request.duration',
    kind: 'histogram',
    unit: 's',
    attributes: [...http, 'http.route', 'url.scheme'],
    description: 'HTTP requests by route template; health probes are left out.',
  },
  httpClientDuration: {
    name: 'http.client.request.duration',
    kind: 'histogram',
    unit: 's',
    attributes: [...http, ...server, 'url.scheme'],
    description: 'Calls to the object store and to Keycloak.',
  },
  databaseDuration: {
    name: 'db.client.operation.duration',
    kind: 'histogram',
    unit: 's',
    attributes: ['db.system.name', 'db.namespace', 'db.operation.name', ...server, errorType],
    description: 'Statements in Postgres.',
  },
  poolConnections: {
    name: 'db.client.connection.count',
    kind: 'upDown',
    unit: '{connection}',
    attributes: [pool, 'db.client.connection.state'],
    description: 'Connections of the pool, `used` and `idle`.',
  },
  poolPending: {
    name: 'db.client.connection.pending_requests',
    kind: 'upDown',
    unit: '{connection}',
    attributes: [pool],
    description: 'Statements that wait for a connection.',
  },
  poolMost: {
    name: 'db.client.connection.max',
    kind: 'upDown',
    unit: '{connection}',
    attributes: [pool],
    description: 'Connections that the pool may hold; DATABASE_POOL.',
  },
  loopDelayMean: loopDelay('mean'),
  loopDelayP50: loopDelay('p50'),
  loopDelayP99: loopDelay('p99'),
  loopDelayMax: loopDelay('max'),
  loopUtilization: {
    name: 'nodejs.eventloop.utilization',
    kind: 'gauge',
    unit: '1',
    attributes: [],
    description: 'Share of the time in which the event loop was busy.',
  },
} as const satisfies Record<string, Metric>;
