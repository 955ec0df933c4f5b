/** The parts of the law of relayed entries; false breaks one. */
export interface RelayedLaws {
  /** Entries are taken only behind the last that was taken. */
  readonly withoutGaps: boolean;
  /** An entry whose position or id was taken is skipped. */
  readonly once: boolean;
  /** What is known of a source is lost with the entries that came of it. */
  readonly positionWithEntries: boolean;
  /** What comes of a source that was written off is parked. */
  readonly parksWrittenOff: boolean;
}

export const RELAYED_LAWS: RelayedLaws = {
  withoutGaps: true,
  once: true,
  positionWithEntries: true,
  parksWrittenOff: true,
};
