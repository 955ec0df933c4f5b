import { rowsShownIn, type Section } from '../row.ts';

export const states: Section = {
  title: 'States and transitions',
  rows: [
    ...rowsShownIn('states.test.ts', {
      'state.supply.archive.active': 'Supply source: `active` → `archived` by DELETE.',
      'state.supply.archive.sandbox': 'Supply source: `sandbox` → `archived` by DELETE.',
      'state.supply.archive.archived': 'Supply source: `archived` → `archived` by DELETE.',
      'state.supply.archive.traffic':
        'An archived supply source stops receiving auction traffic: its ad requests are 403.',
      'state.supply.archive.irreversible': 'The archive is not reversible through the API.',
      'state.supply.leave-sandbox': 'Supply source: `sandbox` → `active` by update of `sandbox` to false.',
      'state.demand.leave-sandbox': 'Demand source: `sandbox` → `active` by update of `sandbox` to false.',
      'state.demand.archived': 'An archived demand source is asked for no bids.',
    }),
    ...rowsShownIn('bidder-failures.test.ts', {
      'state.breaker.opens':
        'Circuit breaker: `closed` → `open` when timeouts exceed the threshold; the source is paused.',
      'state.breaker.opens-on-errors': 'Circuit breaker: `closed` → `open` when errors exceed the threshold.',
      'state.breaker.others': 'A paused demand source costs the others nothing.',
    }),
    ...rowsShownIn('breaker-recovery.test.ts', {
      'state.breaker.half-open': 'Circuit breaker: `open` → `half_open` by itself after about 30 seconds.',
      'state.breaker.recovers': 'Circuit breaker: `half_open` → `closed` when the bidder answers again.',
    }),
    ...rowsShownIn('test-bid.test.ts', {
      'state.test-bid.outcomes': 'Test-bid outcomes are `win`, `no-bid`, `below-floor`, `timeout`, `error`.',
    }),
    ...rowsShownIn('demand-health.test.ts', {
      'state.breaker.reset': 'Circuit breaker: `open` → `closed` by `POST /api/demand/sources/{id}/reset`.',
      'state.breaker.reset-trips-again': 'If latency is still bad, the breaker trips again within seconds of a reset.',
    }),
    ...rowsShownIn('reports-and-billing.test.ts', {
      'state.billing.in_progress': 'A statement of the current month is `in_progress`.',
      'state.billing.finalized': 'A statement of a past month is `finalized`.',
    }),
    ...rowsShownIn('budgets.test.ts', {
      'state.campaign.exhausted': 'Campaign: `active` → paused when its daily budget is exhausted.',
      'state.campaign.midnight': 'A campaign that its budget paused goes on after midnight UTC; a manual pause stays.',
    }),
  ],
};
