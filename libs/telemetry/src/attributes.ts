/** The names of attributes that only Stoa uses; OpenTelemetry's semantic conventions cover the rest. */
export const attributes = {
  /** The trace that a linked trace follows, for viewers that show no links. */
  originTraceId: 'stoa.origin.trace_id',
  /** The purpose of an upload, as the contract lists them. */
  uploadPurpose: 'stoa.upload.purpose',
  /** The result of a link check: works, fails, unknown or offline. */
  linkOutcome: 'stoa.link.outcome',
  /** The kind of an answer of the gateway: a page, another read, or a write. */
  answerKind: 'stoa.answer.kind',
  /** The class name of a sweeper or of another periodic worker. */
  workerName: 'stoa.worker.name',
} as const;

export interface Metric {
  readonly name: string;
  readonly kind: 'histogram' | 'counter' | 'upDown' | 'gauge';
  /** Unit in UCUM; a counted noun is in braces. */
  readonly unit: string;
  /** Every attribute that a point may have. All have few values: no account, name, address or path. */
  readonly attributes: readonly string[];
  readonly description: string;
}
