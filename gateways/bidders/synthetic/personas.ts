/** How a synthetic demand source behaves. Each is a real HTTP bidder on a path of its own. */
export interface Persona {
  /** As the specification names it ("Sandbox"). */
  readonly name: string;
  readonly path: string;
  /** What it bids, in USD CPM, or null for no bid. `floorCpm` is the imp's floor. */
  readonly priceCpm: (floorCpm: number) => number | null;
}

/** Wins whatever LowBidder bids on, up to a floor that no buyer would pay. */
const highBidder: Persona = {
  name: 'HighBidder',
  path: '/high-bidder',
  priceCpm: (floorCpm) => (floorCpm > 80 ? null : Math.max(8.5, round(floorCpm * 1.2))),
};

const lowBidder: Persona = {
  name: 'LowBidder',
  path: '/low-bidder',
  priceCpm: (floorCpm) => (floorCpm > 1.25 ? null : 1.25),
};

export const personas = [highBidder, lowBidder] as const;

function round(cpm: number): number {
  return Math.round(cpm * 100) / 100;
}
