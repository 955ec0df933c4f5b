/** The auction fields of each scenario's request: a first-price test in dollars, with some advertising blocked. */
export const scenarioAuctionFields = {
  at: 1,
  test: 1,
  tmax: 200,
  cur: ['USD'],
  bcat: ['IAB7-39', 'IAB9-9', 'IAB25', 'IAB26'],
  badv: ['blocked-advertiser.example'],
} as const;
