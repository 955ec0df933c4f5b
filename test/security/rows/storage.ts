import type { SecurityRows } from '../attack.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'bidder',
      attack: 'wins 2,600 impressions with creatives whose ids have 7,000 characters each, in one minute',
      outcome: 'ids are kept in 64 characters; the tally of that minute is below 2 MB and is stored',
      file: 'actors/impression-rollup/bounds.test.ts',
      title: 'hold for 2,600 impressions whose creatives have ids of 7,000 characters each',
    },
    {
      by: 'bidder',
      attack: 'wins with 50,000 creatives in one minute',
      outcome:
        'past 4 MB of rows new creatives are summed as others; whose money it is stays exact; the tally is below 5 MB',
      file: 'actors/impression-rollup/bounds.test.ts',
      title:
        'hold for 50,000 creatives in a minute: late ones are summed as others, and the money of each party stays apart',
    },
    {
      by: 'sandbox key',
      attack:
        'bids 10,000 dollars CPM, which cost nothing, until the sums of a day are no longer exact: live impressions were parked',
      outcome:
        'a tally takes 1/256 of what is exact from the sandbox and refuses the rest; live impressions are billed',
      file: 'actors/impression-rollup/bounds.test.ts',
      title: 'refuse sandbox impressions of more than the sandbox’s share of a day, and take live ones',
    },
    {
      by: 'sandbox key',
      attack: 'does so in all partitions, until the sums of the sandbox’s ledgers are no longer exact',
      outcome: 'what 256 partitions take together is exact in every ledger',
      file: 'actors/impression-rollup/bounds.test.ts',
      title: 'are those with which the sums of all partitions are exact in every ledger',
    },
    {
      by: 'sandbox key',
      attack: 'has totals of its sandbox parked, so that nobody’s hours are filed',
      outcome: 'hours wait for live totals alone',
      file: 'scheduler/jobs/file-ledger-hours.test.ts',
      title: 'waits for nothing that is parked of the sandbox, also where it is replayed for an hour that is closed',
    },
    {
      by: 'bidder',
      attack:
        'has invalid traffic call for impressions at 10,000 dollars CPM, until the sum of what was not charged is no longer exact',
      outcome: 'each is counted, beyond 1/256 of what is exact without its price; those of the sandbox by themselves',
      file: 'actors/impression-rollup/bounds.test.ts',
      title: 'count invalid impressions beyond a share of a day without their prices, of each environment by itself',
    },
    {
      by: 'bidder',
      attack: 'brings one actor to a state that no store takes, so that its partition begins anew for ever',
      outcome: 'that actor alone is in quarantine, with an alarm; its messages are dead letters, which can be replayed',
      file: 'runtime/node/quarantine.test.ts',
      title: 'answers that the message is parked, also when asked again',
    },
    {
      by: 'operator',
      attack: 'changes REDIS_URL, its password say, while edges hold spooled impressions',
      outcome: 'they are found by the id of the exchange, replayed and billed once',
      file: 'composition/spool-of-an-exchange.test.ts',
      title: 'is found and billed once under another REDIS_URL of the same server',
    },
    {
      by: 'co-located process',
      attack: "puts another exchange's spooled impressions into an edge's folder",
      outcome: 'none of them is billed; they are set aside, named in the log and counted in a metric',
      file: 'composition/spool-of-an-exchange.test.ts',
      title: 'replays no file of another exchange, whatever folder it was put into',
    },
    {
      by: 'keyless caller',
      attack: 'brings so much that the memory of Redis is full while 12,000 entries wait',
      outcome: 'they are handled and trimmed unaided; edges spool meanwhile; each impression is billed once',
      file: 'faults/full-memory/full-memory.test.ts',
      title:
        'drains unaided what waits in it, while edges spool what they are shown, and nothing is lost or billed twice',
    },
  ],
  budgets: [
    {
      of: 'exchange',
      resource: 'memory',
      bound: "90 % of Redis' `maxmemory` for producers, the rest for owners",
      file: 'faults/full-memory/full-memory.test.ts',
      title:
        'drains unaided what waits in it, while edges spool what they are shown, and nothing is lost or billed twice',
    },
    {
      of: 'exchange',
      resource: 'bytes',
      bound: '8 MB of rows in a tally; an impression for which no row is left is parked',
      file: 'actors/impression-rollup/bounds.test.ts',
      title: 'refuse an impression that no row is for once no other row has room, and have changed nothing',
    },
    {
      of: 'exchange',
      resource: 'budget',
      bound: '35,184 dollars a day of sandbox impressions in each partition; more are refused',
      file: 'actors/impression-rollup/bounds.test.ts',
      title: 'refuse sandbox impressions of more than the sandbox’s share of a day, and take live ones',
    },
    {
      of: 'exchange',
      resource: 'bytes',
      bound: '2 MB of messages to one actor between two of its saves',
      file: 'runtime/node/quarantine.test.ts',
      title: 'is saved before its time when much has come to it, so that it grows by little between two saves',
    },
  ],
};
