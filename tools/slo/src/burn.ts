/**
 * An alert for a speed at which the error budget of thirty days burns. The long window says that it matters,
 * the short one that it still goes on (Google, Site Reliability Workbook, chapter 5).
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
