import { z } from 'zod';

const Name = z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
const Duration = z.string().regex(/^[1-9]\d*[mhdwMQY]$/);
const Metadata = z.strictObject({
  name: Name,
  displayName: z.string().min(1).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});
const Description = z.string().min(1).max(1050);

const document = <K extends string, S extends z.ZodType>(kind: K, spec: S) =>
  z.strictObject({ apiVersion: z.literal('openslo/v1'), kind: z.literal(kind), metadata: Metadata, spec });

const Query = z.strictObject({
  metricSource: z.strictObject({
    type: z.literal('Prometheus'),
    spec: z.strictObject({ query: z.string().min(1) }),
  }),
});

export const Slo = document(
  'SLO',
  z.strictObject({
    description: Description,
    service: Name,
    indicator: z.strictObject({
      metadata: Metadata,
      spec: z.strictObject({
        ratioMetric: z.strictObject({ counter: z.literal(true), good: Query, total: Query }),
      }),
    }),
    // Rules, alerts and dashboards all assume thirty days.
    timeWindow: z.tuple([z.strictObject({ duration: z.literal('30d'), isRolling: z.literal(true) })]),
    budgetingMethod: z.literal('Occurrences'),
    objectives: z.tuple([
      z.strictObject({ displayName: z.string().min(1), target: z.number().min(0.9).lt(1) }),
    ]),
    alertPolicies: z.array(z.strictObject({ alertPolicyRef: Name })).min(1),
  }),
);

export const AlertPolicy = document(
  'AlertPolicy',
  z.strictObject({
    description: Description,
    alertWhenNoData: z.boolean(),
    alertWhenResolved: z.boolean(),
    alertWhenBreaching: z.boolean(),
    conditions: z.tuple([
      z.strictObject({
        kind: z.literal('AlertCondition'),
        metadata: Metadata,
        spec: z.strictObject({
          severity: z.enum(['page', 'ticket']),
          condition: z.strictObject({
            kind: z.literal('burnrate'),
            op: z.literal('gt'),
            threshold: z.number().positive(),
            lookbackWindow: Duration,
            alertAfter: Duration,
          }),
        }),
      }),
    ]),
    notificationTargets: z.array(z.strictObject({ targetRef: Name })).min(1),
  }),
);

const Service = document('Service', z.strictObject({ description: Description }));
const AlertNotificationTarget = document(
  'AlertNotificationTarget',
  z.strictObject({ description: Description, target: z.string().min(1) }),
);

/**
 * The part of OpenSLO v1 that is used here. It allows no extensions, so that other tools can read the files
 * too.
 */
export const OpenSlo = z.discriminatedUnion('kind', [Slo, AlertPolicy, Service, AlertNotificationTarget]);
export type OpenSlo = z.infer<typeof OpenSlo>;
