/** A campaign that may bid on an imp. */
export interface Match {
  /** The id under which the campaign was put into the index. */
  readonly id: string;
  readonly owner: string;
  /** The campaign's priority, not the rule's. */
  readonly priority: number;
  /** Whole micro-dollars CPM, above 0 and not above the campaign's `max_cpm`. */
  readonly bidCpmMicros: number;
  /** The rule that matched; null for a campaign that bids on its targeting alone. */
  readonly ruleId: string | null;
}
