// Our own names, and the metrics of dashboards and alerts. A test compares docs/reference/metrics.md.

import { attributes, type Metric } from './attributes.ts';

export { attributes, type Metric };

export const tracerName = '@stoa/telemetry';

/**
 * Bucket boundaries of our duration histograms, in seconds: OpenTelemetry's advice for HTTP, which its
 * instrumentation uses by default. An objective between two boundaries cannot be measured.
 */
export const durationBounds = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
] as const;

const errorType = 'error.type';
const rpc = ['rpc.system.name', 'rpc.method', 'rpc.response.status_code', errorType];
const messaging = ['messaging.system', 'messaging.operation.name', 'messaging.destination.name', errorType];
const group = 'messaging.consumer.group.name';
const pool = 'db.client.connection.pool.name';

/** Metrics of our own code. */
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
      'Answers of the gateway that started too late: a page after 250 ms, another read after 2 s, a write 5 s after its body was read, undoing an account change after 20 s.',
  },
  rpcClientDuration: {
    name: 'rpc.client.call.duration',
    kind: 'histogram',
    unit: 's',
    attributes: rpc,
    description: 'Duration of requests over NATS, measured by the caller.',
  },
  rpcServerDuration: {
    name: 'rpc.server.call.duration',
    kind: 'histogram',
    unit: 's',
    attributes: rpc,
    description: 'Duration of requests over NATS, measured by the responder without the time in its queue.',
  },
  requestsInFlight: {
    name: 'stoa.requests.in_flight',
    kind: 'gauge',
    unit: '{request}',
    attributes: [],
    description: 'NATS requests in progress; REQUEST_CONCURRENCY is the limit.',
  },
  requestsWaiting: {
    name: 'stoa.requests.waiting',
    kind: 'gauge',
    unit: '{request}',
    attributes: [],
    description: 'NATS requests that wait in the queue; beyond REQUEST_BACKLOG they are refused.',
  },
  requestsOverdue: {
    name: 'stoa.requests.overdue',
    kind: 'gauge',
    unit: '{request}',
    attributes: [],
    description:
      'NATS requests in progress whose caller has stopped waiting. Up to eight per slot of REQUEST_CONCURRENCY give up their slot; further ones keep it.',
  },
  requestsOverran: {
    name: 'stoa.requests.overran',
    kind: 'counter',
    unit: '{request}',
    attributes: ['rpc.method'],
    description: 'NATS requests that were not finished by their deadline and gave up their slot.',
  },
  requestsLate: {
    name: 'stoa.requests.late',
    kind: 'counter',
    unit: '{request}',
    attributes: ['rpc.method'],
    description:
      'NATS requests that started after their deadline. If an idle service counts writes, synchronise the clocks of gateway and services with NTP.',
  },
  publishDuration: {
    name: 'messaging.client.operation.duration',
    kind: 'histogram',
    unit: 's',
    attributes: messaging,
    description: 'Duration of publishing an event of the outbox, until the stream has stored it on disk.',
  },
  processDuration: {
    name: 'messaging.process.duration',
    kind: 'histogram',
    unit: 's',
    attributes: [...messaging, group],
    description: 'Duration of handling one delivery of an event.',
  },
  eventsPending: {
    name: 'stoa.events.pending',
    kind: 'gauge',
    unit: '{event}',
    attributes: [group],
    description: 'Consumer lag: events that the stream has not delivered to the durable consumer yet.',
  },
  eventsUnacknowledged: {
    name: 'stoa.events.unacknowledged',
    kind: 'gauge',
    unit: '{event}',
    attributes: [group],
    description: 'Events that were delivered and are neither acknowledged nor terminated.',
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
    description:
      'Visits that were not counted, because the stream was unavailable until the buffer in memory was full.',
  },
  eventsKept: {
    name: 'stoa.events.kept',
    kind: 'gauge',
    unit: '{item}',
    attributes: ['messaging.destination.name'],
    description: 'Visits that this process buffers in memory until the stream has stored them.',
  },
  eventsKeptAge: {
    name: 'stoa.events.kept.age',
    kind: 'gauge',
    unit: 's',
    attributes: ['messaging.destination.name'],
    description: 'Age of the oldest visit in the buffer; 0 when there is none.',
  },
  outboxRows: {
    name: 'stoa.outbox.rows',
    kind: 'gauge',
    unit: '{event}',
    attributes: [],
    description: 'Events in the outbox that are not yet published, counted up to 10000.',
  },
  outboxAge: {
    name: 'stoa.outbox.age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Age of the oldest event that is not yet published; 0 when there is none.',
  },
  outboxSetAside: {
    name: 'stoa.outbox.set_aside',
    kind: 'gauge',
    unit: '{event}',
    attributes: [],
    description:
      'Events that the stream refused permanently; they stay in the outbox until an operator acts.',
  },
  issuerReachable: {
    name: 'stoa.issuer.reachable',
    kind: 'gauge',
    unit: '{issuer}',
    attributes: [],
    description:
      "1 if this gateway can fetch the realm's keys from Keycloak, otherwise 0; tested at each export.",
  },
  sessionEndsAge: {
    name: 'stoa.session_ends.age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Time for which this gateway may have missed ends of sessions; 0 while it receives them.',
  },
  realmAge: {
    name: 'stoa.realm.age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description:
      "Time since Keycloak's events were last read completely. Sessions that ended since then can still use the API.",
  },
  deletionsAge: {
    name: 'stoa.deletions.age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description:
      'Time since the oldest unfinished deletion of an account was requested; 0 when there is none.',
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
      'Age of the oldest message that waits to be mailed; 0 when there is none. Mailboxes that refuse permanently do not count.',
  },
  linksLooked: {
    name: 'stoa.links.looked',
    kind: 'counter',
    unit: '{look}',
    attributes: [attributes.linkOutcome],
    description: 'Checks of published links.',
  },
  linksAge: {
    name: 'stoa.links.age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Time since the most overdue link check was due; 0 when none is due.',
  },
  workerAge: {
    name: 'stoa.worker.age',
    kind: 'gauge',
    unit: 's',
    attributes: [attributes.workerName],
    description: 'Time since the last successful round of a worker.',
  },
  workerOverdue: {
    name: 'stoa.worker.overdue',
    kind: 'gauge',
    unit: 's',
    attributes: [attributes.workerName],
    description:
      "Time by which a worker's next successful round is overdue: after two pauses and the longest duration of a round; 0 while it is on time.",
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
    description: 'Sign-ups: creator records created.',
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
    description: "Corrected counts of a creator's public offerings.",
  },
  uploadsCompleted: {
    name: 'stoa.uploads.completed',
    kind: 'counter',
    unit: '{upload}',
    attributes: [attributes.uploadPurpose],
    description: 'Uploads that passed the checks and were stored.',
  },
  cardsDrawn: {
    name: 'stoa.preview_cards.drawn',
    kind: 'counter',
    unit: '{card}',
    attributes: [],
    description: 'Preview cards rendered; a card that is stored already is not rendered again.',
  },
  contactReceived: {
    name: 'stoa.contact.received',
    kind: 'counter',
    unit: '{message}',
    attributes: [],
    description: 'Contact messages stored, without repeats.',
  },
  contactMailed: {
    name: 'stoa.contact.mailed',
    kind: 'counter',
    unit: '{message}',
    attributes: [],
    description: 'Contact messages that the mail server accepted.',
  },
  backupTime: {
    name: 'stoa.backup.time',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description:
      'Moment of the data in the newest backup, in seconds since 1970; each backup reports it once.',
  },
  retentionTime: {
    name: 'stoa.backup.retention.time',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description:
      'When a backup last removed old backups, in seconds since 1970; reported by each backup that did.',
  },
} as const satisfies Record<string, Metric>;

const server = ['server.address', 'server.port'];
const http = ['http.request.method', 'http.response.status_code', 'network.protocol.version', errorType];

const loopDelay = <S extends string>(statistic: S) => ({
  name: `nodejs.eventloop.delay.${statistic}` as const,
  kind: 'gauge' as const,
  unit: 's',
  attributes: [],
  description: `Event loop lag since the last export, including the sampling interval of 50 ms: ${statistic}.`,
});

/** Metrics of instrumentation libraries that dashboards and alerts use. */
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
    description: 'Duration of calls to the object store and to Keycloak.',
  },
  databaseDuration: {
    name: 'db.client.operation.duration',
    kind: 'histogram',
    unit: 's',
    attributes: ['db.system.name', 'db.namespace', 'db.operation.name', ...server, errorType],
    description: 'Duration of statements in Postgres.',
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
