import { z } from 'zod';
import { contract, event } from './contract.ts';
import { Id, Timestamp, Uid } from './fields.ts';
import { limits } from './limits.ts';

const kinds = ['view', 'access', 'support', 'download'] as const;
export const VisitKind = z.enum(kinds).meta({ id: 'VisitKind' });
export type VisitKind = z.infer<typeof VisitKind>;

const Host = z
  .string()
  .max(253)
  .regex(/^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?$/);

/** The longest label of a name is 63 letters, and the last one is no number (RFC 1035, RFC 3696): no address, no bare name. */
const publicHost =
  /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/;

/** Whether a referrer's host is one of the public internet, by its name. */
export const isReferrerHost = (host: string): boolean => publicHost.test(host);

/** What a visitor's browser says. Nothing in it is of the visitor. */
export const VisitForm = z
  .object({
    id: Id.describe('Made by the browser for this one visit: a repeat with the same id counts once.'),
    creatorId: Uid.describe('Whose page it is.'),
    kind: VisitKind.describe(
      "A page that was shown, or a click on 'Access Now', on a support link, on a download.",
    ),
    offeringId: Id.describe('The offering that it is about; absent for the profile.').optional(),
    referrer: Host.refine(isReferrerHost, 'This is not the name of a public host.')
      .describe('The host that led here, without its path.')
      .optional(),
  })
  .meta({ id: 'VisitForm' });
export type VisitForm = z.infer<typeof VisitForm>;

/** The same to be counted. */
export const Visit = VisitForm.extend({
  /** As the release before took it. */
  referrer: Host.optional(),
  at: Timestamp,
  /** A keyed hash that tells visitors of one creator apart for a day; its key is forgotten with the day. */
  visitor: z.string().regex(/^[\w-]{22}$/),
});
export type Visit = z.infer<typeof Visit>;

/** Visits of many creators in one message. Each is read by itself: what is no `Visit` must not keep the others from being counted. */
export const VisitBatch = z.object({ visits: z.array(z.unknown()).max(limits.visitBatch) });
export type VisitBatch = z.infer<typeof VisitBatch>;

/** A day of the calendar in UTC. */
export const Day = z.iso.date();

const Count = z.int().nonnegative();
const NumbersTotals = z.object({
  views: Count.describe('Of the profile and of offerings.'),
  visitors: Count.describe('People who came, each of them once a day.'),
  accessClicks: Count.describe("Clicks on 'Access Now'."),
  supportClicks: Count.describe('Clicks on links to support the creator.'),
  downloads: Count,
});

export const Numbers = z
  .object({
    days: z
      .array(NumbersTotals.extend({ day: Day.describe('In UTC.') }))
      .describe('Every day of the time that was asked for, the last one today.'),
    totals: NumbersTotals,
    profileViews: Count,
    offerings: z
      .array(z.object({ offeringId: Id, views: Count, accessClicks: Count, downloads: Count }))
      .describe('Those that anybody looked at, the most viewed first.'),
    referrers: z
      .array(z.object({ host: z.string(), views: Count }))
      .describe("Where visitors came from, the most first; 'other' is what was too many to tell apart."),
  })
  .meta({ id: 'Numbers' });
export type Numbers = z.infer<typeof Numbers>;

/** How many days back, the one of today among them. */
export const NumbersQuery = z.object({
  days: z.int().min(1).max(limits.listedVisitDays).default(30),
});
export type NumbersQuery = z.infer<typeof NumbersQuery>;

/** One number as it is kept. `subject` is an offering, a host, or empty where it is about all of the creator's pages. */
export const VisitCount = z.object({
  day: Day,
  kind: z.enum([...kinds, 'any', 'referrer']).describe("'any' is all kinds of visits together."),
  subject: z.string(),
  count: Count,
  /** How many people that were. */
  visitors: Count,
});
export type VisitCount = z.infer<typeof VisitCount>;

export const VisitCounts = z.object({ items: z.array(VisitCount) });
export type VisitCounts = z.infer<typeof VisitCounts>;

/** What the gateway announces without an outbox, since it has no database. */
export const visits = contract('gateway', {
  counted: event(VisitBatch, 'VISITS'),
});
