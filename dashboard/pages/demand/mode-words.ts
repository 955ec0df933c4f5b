/** What the two modes of a demand source are called. */
export const MODE_WORDS = {
  rtb: {
    short: 'OpenRTB bidder',
    long: 'It runs a bidder of its own. The exchange sends it a bid request for each ad and waits for its answer.',
  },
  delegate: {
    short: 'Delegate',
    long: 'It has no bidder. It writes down its campaigns and rules, and the exchange bids for it.',
  },
} as const;
