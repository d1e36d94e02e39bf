import { z } from 'zod';
import { guidelineLabels } from './choices.ts';
import { Cursor, Id, requiredLine, requiredText, text, Timestamp, Uid } from './fields.ts';
import { limits } from './limits.ts';
import { Picture } from './pictures.ts';

const guidelines = Object.keys(guidelineLabels) as (keyof typeof guidelineLabels)[];
export const Guideline = z.enum(guidelines).meta({ id: 'Guideline' });
export type Guideline = z.infer<typeof Guideline>;

const bytesOf = (value: string) => new TextEncoder().encode(value).length;
/** A text of so many characters, however they are made up: a list of many has to fit into one message. */
const inBytes = (length: number) =>
  [(value: string) => bytesOf(value) <= 4 * length, { error: 'This is too long.' }] as const;
const boundedText = (length: number) => text(length).refine(...inBytes(length));

/** What a visitor says of a page. Nothing in it is of the visitor. */
export const ReportForm = z
  .object({
    id: Id.describe("Made by the visitor's browser: a repeat with the same id is the same report."),
    username: requiredLine(60).describe('Whose page it is.'),
    slug: requiredLine(limits.slugLength)
      .describe('The offering that it is about; absent for the profile.')
      .optional(),
    reason: Guideline.describe('What of the Community Guidelines it goes against.'),
    text: boundedText(limits.reportLength).describe('In words, for the people who look at it.'),
  })
  .meta({ id: 'ReportForm' });
export type ReportForm = z.infer<typeof ReportForm>;

/** The offering that a case is about, as it was called when it was reported. */
export const ReviewedOffering = z
  .object({ id: Id, slug: z.string(), title: z.string() })
  .meta({ id: 'ReviewedOffering' });
export type ReviewedOffering = z.infer<typeof ReviewedOffering>;

/** The same to be kept. */
export const Report = ReportForm.pick({ id: true, reason: true, text: true }).extend({
  creatorId: Uid,
  offering: ReviewedOffering.nullable(),
  /** A keyed hash of the network that it came from; absent from a gateway of the release before. */
  source: z
    .string()
    .regex(/^[\w-]{22}$/)
    .optional(),
});
export type Report = z.infer<typeof Report>;

export const ReportReceipt = z.object({ id: Id }).meta({ id: 'ReportReceipt' });

/** An open or appealed case waits for an operator; what is hidden, appealed or upheld is seen by nobody else. */
export const ReviewStatus = z
  .enum(['open', 'dismissed', 'hidden', 'appealed', 'upheld', 'restored'])
  .meta({ id: 'ReviewStatus' });
export type ReviewStatus = z.infer<typeof ReviewStatus>;

const Count = z.int().nonnegative();

/** What became of a case, and who said so. Never changed and never taken away. */
export const ReviewStep = z
  .object({
    id: Id,
    at: Timestamp,
    kind: z.enum(['reported', 'dismissed', 'hidden', 'appealed', 'upheld', 'restored']),
    reason: Guideline.nullable(),
    text: z.string(),
    actor: z
      .string()
      .nullable()
      .describe('The username of who did it; null for a visitor, and for an account that is gone.'),
  })
  .meta({ id: 'ReviewStep' });
export type ReviewStep = z.infer<typeof ReviewStep>;

/** What visitors see on the page, or would see. */
export const ReviewedContent = z
  .object({
    title: z.string(),
    text: z.string(),
    links: z.array(z.string()).describe('Where those are led who pay.'),
    picture: Picture.nullable(),
  })
  .meta({ id: 'ReviewedContent' });
export type ReviewedContent = z.infer<typeof ReviewedContent>;

/** Everything that was said of one page until it was dismissed or restored. */
export const ReviewCase = z
  .object({
    id: Id,
    creatorId: Uid,
    username: z.string(),
    displayName: z.string(),
    offering: ReviewedOffering.nullable().describe('Null where it is about the profile.'),
    status: ReviewStatus,
    openedAt: Timestamp,
    content: ReviewedContent.nullable().describe('As it is now; null where that cannot be said.'),
    reports: Count.default(0).describe(
      `How often it was reported; of more than ${limits.reportsPerCase} the first are in \`steps\`.`,
    ),
    steps: z.array(ReviewStep).describe('The oldest first.'),
  })
  .meta({ id: 'ReviewCase' });
export type ReviewCase = z.infer<typeof ReviewCase>;

export const reviewQueues = {
  waiting: ['open', 'appealed'],
  hidden: ['hidden', 'upheld'],
  closed: ['dismissed', 'restored'],
} as const satisfies Record<string, readonly ReviewStatus[]>;

export const ReviewQuery = z.object({
  queue: z
    .enum(['waiting', 'hidden', 'closed'])
    .default('waiting')
    .describe('What waits for a decision, what is hidden, or what is over.'),
  cursor: Cursor.describe('The `nextCursor` of the page before, of the same queue.').optional(),
});
export type ReviewQuery = z.infer<typeof ReviewQuery>;

export const ReviewCaseList = z
  .object({
    items: z
      .array(ReviewCase)
      .describe(
        `At most ${limits.reviewCases}: of what waits the most severe and most reported first, then the oldest; otherwise the latest first.`,
      ),
    nextCursor: Cursor.nullable()
      // A replica of the release before knows the first page alone.
      .default(null)
      .describe('Asks for the page after this one; null on the last.'),
    counts: z.object({ waiting: Count, hidden: Count, closed: Count }),
  })
  .meta({ id: 'ReviewCaseList' });
export type ReviewCaseList = z.infer<typeof ReviewCaseList>;

export const ReviewDecision = z
  .object({
    decision: z
      .enum(['hide', 'dismiss', 'uphold', 'restore'])
      .describe(
        'An open case is hidden or dismissed, an appeal upheld or restored, what is hidden restored.',
      ),
    reason: Guideline.describe('What of the Community Guidelines it goes against: for `hide`.').optional(),
    text: boundedText(limits.reportLength).describe('For the creator, where they are told.'),
  })
  .meta({ id: 'ReviewDecision' });
export type ReviewDecision = z.infer<typeof ReviewDecision>;

/** A page that an operator has hidden, as its owner reads it. */
export const Takedown = z
  .object({
    id: Id,
    offering: ReviewedOffering.nullable().describe('Null where it is the profile.'),
    status: z.enum(['hidden', 'appealed', 'upheld']),
    reason: Guideline,
    text: z.string().describe("The operator's words."),
    hiddenAt: Timestamp,
    answer: z.string().describe('What the operator said to the appeal; empty before.'),
  })
  .meta({ id: 'Takedown' });
export type Takedown = z.infer<typeof Takedown>;

export const TakedownList = z.object({ items: z.array(Takedown) }).meta({ id: 'TakedownList' });
export type TakedownList = z.infer<typeof TakedownList>;

/** A case that was decided, as its page's owner may have it: who reported and who decided is not theirs to know. */
export const ReviewRecord = ReviewCase.pick({
  id: true,
  offering: true,
  status: true,
  openedAt: true,
}).extend({
  steps: z
    .array(ReviewStep.omit({ actor: true, id: true }))
    .describe('What was decided and appealed, the oldest first; no report.'),
});
export type ReviewRecord = z.infer<typeof ReviewRecord>;

export const ReviewRecordPage = z.object({
  items: z.array(ReviewRecord),
  nextCursor: Cursor.nullable().describe('Asks for the page after this one; null on the last.'),
});
export type ReviewRecordPage = z.infer<typeof ReviewRecordPage>;

export const AppealForm = z
  .object({
    text: requiredText(limits.appealLength)
      .refine(...inBytes(limits.appealLength))
      .describe('Why it should be shown again.'),
  })
  .meta({ id: 'AppealForm' });
export type AppealForm = z.infer<typeof AppealForm>;

/** An operator has decided about a page. */
export const ReviewFacts = z.object({
  /** Of the step. */
  id: Id,
  uid: Uid,
  offering: ReviewedOffering.pick({ id: true, title: true }).nullable(),
  outcome: z.enum(['hidden', 'upheld', 'restored']),
  reason: Guideline.nullable(),
  text: z.string(),
  /** Of two decisions about one page the later one counts. */
  at: Timestamp,
});
export type ReviewFacts = z.infer<typeof ReviewFacts>;
