import type { SecurityRows } from '../attack.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'keyless caller',
      attack: 'reads from `ext.debug` of `/openrtb2/auction` who else bid, what, and where bidders are',
      outcome:
        'it tells what the exchange was asked and what it answered: the winner’s price, no loser, no address of a bidder',
      file: 'gateways/edge/prebid-server/auction.test.ts',
      title: 'tells developers what was asked, and nothing of who was asked',
    },
    {
      by: "viewer's page",
      attack: 'of another site names the supply source, or the stored request, of a rival in `/openrtb2/auction`',
      outcome: '403: the site of the page is not declared by the source, as for `/rtb` and tags',
      file: 'gateways/edge/prebid-server/auction.test.ts',
      title: 'refuses a page of another site, whatever supply source it names',
    },
    {
      by: 'keyless caller',
      attack: 'names `__proto__` or `constructor` as a stored request, or whatever it likes in the place of an object',
      outcome: '400: only what was stored has a name',
      file: 'gateways/edge/prebid-server/read-auction.test.ts',
      title: 'is named in the refusal where there is none',
    },
    {
      by: 'bidder',
      attack: 'has its VAST opened as a page of the edge’s origin, from `/cache`',
      outcome: 'it has no origin (`Content-Security-Policy: sandbox`), and its type is not guessed',
      file: 'gateways/edge/prebid-server/auction.test.ts',
      title: 'caches bids and VAST where that is asked for, for any page to fetch',
    },
    {
      by: 'account key',
      attack: 'writes, reads or deletes what another account’s supply source has stored',
      outcome: '404, and nothing changes',
      file: 'actors/stored-requests/stored-requests.test.ts',
      title: 'are not stored for another account',
    },
  ],
  budgets: [
    {
      of: 'exchange',
      resource: 'memory',
      bound: '64 MiB of bids of each edge in the cache of Prebid Server’s clients, for 5 minutes (`PREBID_CACHE_MIB`)',
      file: 'gateways/edge/prebid-server/bid-cache.test.ts',
      title: 'holds no more of one edge than its bound, until what was stored has expired',
    },
    {
      of: 'publisher',
      resource: 'memory',
      bound: '200 stored requests and imps, 262,144 characters of JSON together, 32,768 each, at every edge',
      file: 'actors/stored-requests/stored-requests.test.ts',
      title: 'are bounded in characters',
    },
  ],
};
