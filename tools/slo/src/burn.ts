/**
 * An alert for a rate at which the error budget of thirty days is consumed. The long window shows that the
 * rate matters, the short one that it continues (Google, Site Reliability Workbook, chapter 5).
 */
export interface Burn {
  readonly suffix: string;
  readonly factor: number;
  readonly long: string;
  readonly short: string;
  readonly wait: string;
  readonly severity: 'page' | 'ticket';
  readonly means: string;
}
