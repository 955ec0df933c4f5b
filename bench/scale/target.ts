/** The exchange whose costs are asked for. All rates are means over the whole exchange. */
export const TARGET = {
  publishers: 10_000,
  accounts: 2_000,
  dsps: 1_000,
  campaigns: 100_000,
  creativesPerCampaign: 5,
  edges: 50,
  actorNodes: 10,
  partitions: 128,
  auctionsPerSecond: 100_000,
  impressionsPerSecond: 20_000,
} as const;

/** Impressions a second of one log partition. */
export const PER_PARTITION = TARGET.impressionsPerSecond / TARGET.partitions;

/** The save turns that are compared, seconds: the shortest, and the longest under load. */
export const TURNS_SECONDS = [1, 20] as const;
