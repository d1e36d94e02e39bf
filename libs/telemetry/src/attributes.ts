/** Attributes of our own; semantic conventions cover the rest. */
export const attributes = {
  /** The trace that a linked one follows, for viewers that show no links. */
  originTraceId: 'stoa.origin.trace_id',
  /** What an upload is for: one of the contract's purposes. */
  uploadPurpose: 'stoa.upload.purpose',
  /** What a look at a link has shown: works, fails, unknown, or that we are offline. */
  linkOutcome: 'stoa.link.outcome',
  /** What the gateway answers: a page, another read, or a write. */
  answerKind: 'stoa.answer.kind',
  /** A sweeper or another worker that goes round by itself: the name of its class. */
  workerName: 'stoa.worker.name',
} as const;

export interface Metric {
  readonly name: string;
  readonly kind: 'histogram' | 'counter' | 'upDown' | 'gauge';
  /** UCUM; in braces what is counted. */
  readonly unit: string;
  /** Every attribute that a point may carry. All have few values: no account, name, address or path. */
  readonly attributes: readonly string[];
  readonly description: string;
}
