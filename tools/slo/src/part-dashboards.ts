import { metrics, prometheusName } from '@stoa/telemetry';
import { dashboardOf, type Panel, type Row, target, type Target } from './panel.ts';

const panel = (
  title: string,
  unit: string,
  description: string,
  targets: readonly Target[],
  thresholds?: Panel['thresholds'],
): Panel => ({
  title,
  type: 'timeseries',
  unit,
  width: 8,
  description,
  targets,
  ...(thresholds && { thresholds }),
});

/** A line at the value at which an alert fires. */
const alertAt = (value: number) => [
  { color: 'transparent', value: null },
  { color: 'red', value },
];

const name = (key: keyof typeof metrics) => prometheusName(metrics[key]);
const perHour = (key: keyof typeof metrics) => `sum(increase(${name(key)}[1h]))`;
const age = (title: string, key: keyof typeof metrics, description: string, alert: number) =>
  panel(title, 's', description, [target(`max(${name(key)})`, 'oldest')], alertAt(alert));
const perSecond = (counter: string) => `rate(${counter}[5m])`;

const product: readonly Row[] = [
  {
    title: 'What people do, in an hour',
    panels: [
      panel('New creators', 'short', 'Created profiles.', [target(perHour('creatorsOpened'), 'creators')]),
      panel('Offerings published', 'short', 'Publications of new and former offerings.', [
        target(perHour('offeringsPublished'), 'offerings'),
      ]),
      panel('Uploads', 'short', 'Pictures and files that passed the checks.', [
        target(perHour('uploadsCompleted'), 'uploads'),
      ]),
      panel('Messages', 'short', 'Messages from contact forms: received, and mailed.', [
        target(perHour('contactReceived'), 'stored'),
        target(perHour('contactMailed'), 'mailed'),
      ]),
      panel('Reports of pages', 'short', 'Reports by visitors, and the cases that wait for an operator.', [
        target(perHour('pagesReported'), 'reports'),
        target(`max(${name('reviewsWaiting')})`, 'cases that wait'),
      ]),
      panel('Requests by kind of answer', 'reqps', 'All requests of the gateway, without health probes.', [
        target(
          `sum by (http_response_status_code) (${perSecond('http_server_request_duration_seconds_count{job="gateway"}')})`,
          '{{http_response_status_code}}',
        ),
      ]),
    ],
  },
  {
    title: 'Waiting work',
    panels: [
      age('Mail', 'mailAge', 'Age of the oldest message that waits to be mailed.', 1800),
      age('Deletions of accounts', 'deletionsAge', 'Age of the oldest unfinished deletion.', 900),
      age('Exports of accounts', 'exportsAge', 'Age of the oldest export that is due.', 900),
      age('Reports and appeals', 'reviewsAge', 'Age of the oldest case.', 86_400),
      age('Events of the realm', 'realmAge', 'Time since Keycloak’s events were last read completely.', 60),
      panel(
        'Age of the newest backup',
        's',
        'The data that a loss of all disks would cost.',
        [target(`time() - max(last_over_time(${name('backupTime')}[2d]))`, 'backup')],
        alertAt(300),
      ),
    ],
  },
];

const apps: readonly Row[] = [
  {
    title: 'Requests over NATS',
    panels: [
      panel('Waiting', 'short', 'Requests in the queue. KEDA scales by them.', [
        target(`sum by (job) (${name('requestsWaiting')})`, '{{job}}'),
      ]),
      panel('In progress', 'short', 'Requests in progress.', [
        target(`sum by (job) (${name('requestsInFlight')})`, '{{job}}'),
      ]),
      panel(
        'Deadline exceeded',
        'short',
        'Requests that were not finished by their deadline, in five minutes.',
        [target(`sum by (rpc_method) (increase(${name('requestsOverran')}[5m]))`, '{{rpc_method}}')],
      ),
      panel('Answer times of services, 95 of 100', 's', 'Measured by the gateway, including the queue.', [
        target(
          `histogram_quantile(0.95, sum by (le, rpc_method) (${perSecond(`${name('rpcClientDuration')}_bucket`)}))`,
          '{{rpc_method}}',
        ),
      ]),
      panel('Failures of services', 'reqps', 'Answers with an error of the service.', [
        target(
          `sum by (rpc_method, error_type) (${perSecond(`${name('rpcClientDuration')}_count{error_type!=""}`)})`,
          '{{rpc_method}} {{error_type}}',
        ),
      ]),
      panel(
        'Event loop, 99 of 100 turns',
        's',
        'Every request of that process waits this long.',
        [target('max by (job) (nodejs_eventloop_delay_p99_seconds)', '{{job}}')],
        alertAt(0.25),
      ),
    ],
  },
  {
    title: 'Events and databases',
    panels: [
      panel(
        'Consumers behind',
        'short',
        'Events that are not delivered to a consumer yet.',
        [
          target(
            `max by (messaging_consumer_group_name) (${name('eventsPending')})`,
            '{{messaging_consumer_group_name}}',
          ),
        ],
        alertAt(1000),
      ),
      panel(
        'Oldest event of an outbox',
        's',
        'Changes that are stored and not published yet.',
        [target(`max by (job) (${name('outboxAge')})`, '{{job}}')],
        alertAt(60),
      ),
      panel('Dead letters, in an hour', 'short', 'Events that failed too often.', [
        target(
          `sum by (messaging_consumer_group_name) (increase(${name('eventsDead')}[1h]))`,
          '{{messaging_consumer_group_name}}',
        ),
      ]),
      panel('Statements, 95 of 100', 's', 'Statements in Postgres, measured by the services.', [
        target(
          `histogram_quantile(0.95, sum by (le, job) (${perSecond('db_client_operation_duration_seconds_bucket')}))`,
          '{{job}}',
        ),
      ]),
      panel(
        'Statements that wait for a connection',
        'short',
        'If this stays above zero, the pool is too small.',
        [target('sum by (job) (db_client_connection_pending_requests)', '{{job}}')],
      ),
      panel('Overdue workers', 's', 'Sweepers and mailers without a successful round for too long.', [
        target(`max by (job, stoa_worker_name) (${name('workerOverdue')})`, '{{job}} {{stoa_worker_name}}'),
      ]),
    ],
  },
];

const nats: readonly Row[] = [
  {
    title: 'Servers',
    panels: [
      panel('Connections', 'short', 'Connections of apps and their replicas.', [
        target('gnatsd_varz_connections', '{{instance}}'),
      ]),
      panel('Messages', 'reqps', 'Messages into and out of the servers.', [
        target(`sum(${perSecond('gnatsd_varz_in_msgs')})`, 'in'),
        target(`sum(${perSecond('gnatsd_varz_out_msgs')})`, 'out'),
      ]),
      panel('Slow clients', 'short', 'A server disconnects them.', [
        target('increase(gnatsd_varz_slow_consumers[5m])', '{{instance}}'),
      ]),
      panel('Memory', 'bytes', 'Resident memory of a server.', [target('gnatsd_varz_mem', '{{instance}}')]),
      panel(
        'Share of the store in use',
        'percentunit',
        'Full streams refuse messages.',
        [target('jetstream_server_total_message_bytes / (jetstream_server_max_storage > 0)', '{{instance}}')],
        alertAt(0.8),
      ),
    ],
  },
  {
    title: 'Streams and consumers',
    panels: [
      panel('Messages of streams', 'short', 'Each stream counts once, without its replicas.', [
        target('max by (stream_name) (jetstream_stream_total_messages)', '{{stream_name}}'),
      ]),
      panel('Size of streams', 'bytes', 'Each stream counts once, without its replicas.', [
        target('max by (stream_name) (jetstream_stream_total_bytes)', '{{stream_name}}'),
      ]),
      panel('Consumers behind', 'short', 'Events that are not delivered to a consumer yet.', [
        target('max by (consumer_name) (jetstream_consumer_num_pending)', '{{consumer_name}}'),
      ]),
      panel('Unacknowledged events', 'short', 'Delivered, not acknowledged.', [
        target('max by (consumer_name) (jetstream_consumer_num_ack_pending)', '{{consumer_name}}'),
      ]),
    ],
  },
];

/** A series of the cluster's own Postgres, or of CloudNativePG's instances. */
const either = (ours: string, operated: string) => `${ours} or ${operated}`;

const postgres: readonly Row[] = [
  {
    title: 'Work',
    panels: [
      panel('Transactions', 'reqps', 'Committed transactions, by database.', [
        target(
          either(
            `sum by (datname) (${perSecond('pg_stat_database_xact_commit')})`,
            `sum by (datname) (${perSecond('cnpg_pg_stat_database_xact_commit')})`,
          ),
          '{{datname}}',
        ),
      ]),
      panel('Rolled-back transactions', 'reqps', 'By database.', [
        target(
          either(
            `sum by (datname) (${perSecond('pg_stat_database_xact_rollback')})`,
            `sum by (datname) (${perSecond('cnpg_pg_stat_database_xact_rollback')})`,
          ),
          '{{datname}}',
        ),
      ]),
      panel('Deadlocks, in five minutes', 'short', 'Postgres ends one of the two transactions.', [
        target(
          either(
            'sum by (datname) (increase(pg_stat_database_deadlocks[5m]))',
            'sum by (datname) (increase(cnpg_pg_stat_database_deadlocks[5m]))',
          ),
          '{{datname}}',
        ),
      ]),
      panel('Cache hit ratio', 'percentunit', 'Blocks found in memory, of all blocks read, by database.', [
        target(
          `sum by (datname) (${perSecond('pg_stat_database_blks_hit')}) / (sum by (datname) (${perSecond('pg_stat_database_blks_hit')}) + sum by (datname) (${perSecond('pg_stat_database_blks_read')}) > 0)`,
          '{{datname}}',
        ),
      ]),
      panel('Locks', 'short', 'By database.', [target('sum by (datname) (pg_locks_count)', '{{datname}}')]),
    ],
  },
  {
    title: 'Room',
    panels: [
      panel('Connections', 'short', 'Share of the connection limit.', [
        target(
          either('sum by (datname) (pg_stat_database_numbackends)', 'sum by (datname) (cnpg_backends_total)'),
          '{{datname}}',
        ),
        target('max(pg_settings_max_connections)', 'at most'),
      ]),
      panel('Size of databases', 'bytes', 'Tables and indexes.', [
        target(
          either(
            'max by (datname) (pg_database_size_bytes)',
            'max by (datname) (cnpg_pg_database_size_bytes)',
          ),
          '{{datname}}',
        ),
      ]),
      panel('Replicas behind', 's', 'Replication lag of CloudNativePG; public reads may be this old.', [
        target('max by (pod) (cnpg_pg_replication_lag)', '{{pod}}'),
      ]),
      panel('Failures of the archive, in five minutes', 'short', 'Failed WAL archiving of CloudNativePG.', [
        target('sum by (pod) (increase(cnpg_pg_stat_archiver_failed_count[5m]))', '{{pod}}'),
      ]),
    ],
  },
];

const userEvents = (event: string, error: string) =>
  `sum(${perSecond(`keycloak_user_events_total{event="${event}",error${error}""}`)})`;

const keycloak: readonly Row[] = [
  {
    title: 'People',
    panels: [
      panel('Log-ins', 'reqps', 'Successful and failed log-ins.', [
        target(userEvents('login', '='), 'succeeded'),
        target(userEvents('login', '!='), 'failed'),
      ]),
      panel('Reasons of failed log-ins', 'reqps', 'Keycloak’s error codes.', [
        target(
          `sum by (error) (${perSecond('keycloak_user_events_total{event="login",error!=""}')})`,
          '{{error}}',
        ),
      ]),
      panel('Sign-ups, log-outs, new passwords', 'reqps', 'Successful ones.', [
        target(userEvents('register', '='), 'sign-ups'),
        target(userEvents('logout', '='), 'log-outs'),
        target(userEvents('reset_password', '='), 'new passwords'),
      ]),
    ],
  },
  {
    title: 'Servers',
    panels: [
      panel('Cluster size', 'short', 'Number of servers that each server sees.', [
        target('vendor_cluster_size{job="keycloak"}', '{{instance}}'),
      ]),
      panel('Mean answer time', 's', 'Mean of all pages and tokens.', [
        target(
          `sum by (instance) (${perSecond('http_server_requests_seconds_sum{job="keycloak"}')}) / (sum by (instance) (${perSecond('http_server_requests_seconds_count{job="keycloak"}')}) > 0)`,
          '{{instance}}',
        ),
      ]),
      panel('Failed requests', 'reqps', 'Answers with a status from 500 on.', [
        target(
          `sum by (instance) (${perSecond('http_server_requests_seconds_count{job="keycloak",outcome="SERVER_ERROR"}')})`,
          '{{instance}}',
        ),
      ]),
      panel('Connections to Postgres', 'short', 'Connections in use, and requests that wait for one.', [
        target('agroal_active_count{job="keycloak"}', '{{instance}} in use'),
        target('agroal_awaiting_count{job="keycloak"}', '{{instance}} waiting'),
      ]),
      panel('Heap', 'bytes', 'Heap of the JVM.', [
        target('sum by (instance) (jvm_memory_used_bytes{job="keycloak",area="heap"})', '{{instance}}'),
      ]),
      panel('Time spent collecting garbage', 'percentunit', 'Share of the total time.', [
        target(
          `sum by (instance) (${perSecond('jvm_gc_pause_seconds_sum{job="keycloak"}')})`,
          '{{instance}}',
        ),
      ]),
    ],
  },
];

const store: readonly Row[] = [
  {
    title: 'MinIO',
    panels: [
      panel('Requests', 'reqps', 'Requests by operation.', [
        target(`sum by (api) (${perSecond('minio_s3_requests_total')})`, '{{api}}'),
      ]),
      panel('Failed requests', 'reqps', 'Failed requests by operation.', [
        target(`sum by (api) (${perSecond('minio_s3_requests_errors_total')})`, '{{api}}'),
      ]),
      panel('Requests in progress', 'short', 'Requests in progress by operation.', [
        target('sum by (api) (minio_s3_requests_inflight_total)', '{{api}}'),
      ]),
      panel('Traffic', 'Bps', 'Uploads and downloads.', [
        target(`sum(${perSecond('minio_s3_traffic_received_bytes')})`, 'received'),
        target(`sum(${perSecond('minio_s3_traffic_sent_bytes')})`, 'sent'),
      ]),
      panel(
        'Share of the disk in use',
        'percentunit',
        'Uploads fail when the disk is full.',
        [
          target(
            '1 - minio_cluster_capacity_usable_free_bytes / minio_cluster_capacity_usable_total_bytes',
            'in use',
          ),
        ],
        alertAt(0.85),
      ),
    ],
  },
];

const dashboards = {
  product: ['product', 'User activity and waiting work.', product],
  apps: ['apps', 'The gateway and the services, from their own metrics.', apps],
  nats: ['NATS', 'Servers, streams and consumers. Needs the component metrics.', nats],
  postgres: [
    'Postgres',
    'One Postgres, or the instances of CloudNativePG. Needs the component metrics.',
    postgres,
  ],
  keycloak: ['Keycloak', 'Log-ins and servers. Needs the component metrics.', keycloak],
  store: ['object store', 'MinIO (versitygw exports no metrics). Needs the component metrics.', store],
} as const satisfies Record<string, readonly [title: string, description: string, rows: readonly Row[]]>;

/** The Grafana dashboards of the product and of each part, by their names. */
export const partDashboards = (): Map<string, object> =>
  new Map(
    Object.entries(dashboards).map(([key, [title, description, rows]]) => [
      key,
      dashboardOf({ uid: `stoa-${key}`, title: `Stoa: ${title}`, description, tags: ['stoa'] }, rows),
    ]),
  );
