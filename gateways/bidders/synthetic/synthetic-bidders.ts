/** Behaviour of a synthetic DSP. Each is called in the process, as a bidder of that path (in-process-channels.ts). */
export interface SyntheticBidder {
  /** Name in the specification ("Sandbox"). */
  readonly name: string;
  readonly path: string;
  /** Time limit that its DSP is registered with, ms. */
  readonly timeoutMs: number;
  /** ms that it waits before it answers. */
  readonly answersAfterMs: number;
  /** Its bid in USD CPM, or null for no bid. `floorCpm` is the imp's floor, `random` uniform in [0, 1). */
  readonly priceCpm: (floorCpm: number, random: () => number) => number | null;
}

const IMMEDIATE = { timeoutMs: 150, answersAfterMs: 0 };

/** Wins whatever LowBidder bids on, up to a floor that no buyer would pay. */
const highBidder: SyntheticBidder = {
  ...IMMEDIATE,
  name: 'HighBidder',
  path: '/high-bidder',
  priceCpm: (floorCpm) => (floorCpm > 80 ? null : Math.max(8.5, round(floorCpm * 1.2))),
};

/**
 * Bids the same price on everything, so that it loses to HighBidder, or to a floor: every consequence of a loss can be
 * watched.
 */
const lowBidder: SyntheticBidder = {
  ...IMMEDIATE,
  name: 'LowBidder',
  path: '/low-bidder',
  priceCpm: () => 1.25,
};

/** Bids on three requests of four, from 0.50 to 10.00, whatever the floor: it beats HighBidder now and then. */
const randomBidder: SyntheticBidder = {
  ...IMMEDIATE,
  name: 'RandomBidder',
  path: '/random-bidder',
  priceCpm: (_floorCpm, random) => (random() < 0.25 ? null : round(0.5 + random() * 9.5)),
};

/**
 * Answers long after every caller has stopped waiting. An auction is as slow as the slowest bidder that it waits for,
 * so this one is registered with 60 ms, not with the 150 ms that are allowed: the first ad request of a new user should
 * show a fast exchange. Under steady traffic its circuit breaker opens, and it costs nothing.
 */
const timeoutDsp: SyntheticBidder = {
  name: 'TimeoutDSP',
  path: '/timeout-dsp',
  timeoutMs: 60,
  answersAfterMs: 1_000,
  priceCpm: (floorCpm) => Math.max(20, round(floorCpm * 2)),
};

export const syntheticBidders = [highBidder, lowBidder, randomBidder, timeoutDsp] as const;

function round(cpm: number): number {
  return Math.round(cpm * 100) / 100;
}
