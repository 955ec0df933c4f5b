import type { SecurityRows } from '../attack.ts';

const limits = 'gateways/management/account-limits.test.ts';
const room = 'gateways/creatives/room.test.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'sandbox key',
      attack: 'fills the heap of every process: 367 sources with 1,000 blocked domains each',
      outcome: '422 QUOTA_EXCEEDED beyond 2 MiB of block lists of a sandbox; equal lists are held once',
      file: limits,
      title: 'holds what a sandbox key can have in memory to 2 MiB of block lists',
    },
    {
      by: 'account key',
      attack:
        'creates 50 sources, pools, partners, demand sources or webhooks at the same moment to pass a limit of 10',
      outcome: '10 are made, 40 are 409 CONFLICT',
      file: limits,
      title: 'lets 50 creations at once make no more of anything than the limit',
    },
    {
      by: 'account key',
      attack: 'creates and archives sources for ever',
      outcome: '409 CONFLICT when ten times the limit are archived',
      file: limits,
      title: 'has room again for what was archived, ten times the limit in all',
    },
    {
      by: 'delegate',
      attack: 'fills the disk of the log with files of creatives',
      outcome:
        'none is fetched below CREATIVES_DISK_RESERVE_MIB of free space (1 GiB), a transfer under way stops within 8 MiB',
      file: room,
      title: 'stops a transfer when the disk falls below what is kept for the log',
    },
    {
      by: 'delegate',
      attack: 'saves files by two management processes at once to pass the share of its account',
      outcome: 'five of 20 are kept where there is room for five',
      file: room,
      title: 'counts the files of an account over several processes',
    },
  ],
  budgets: [
    {
      of: 'publisher',
      resource: 'memory',
      bound: '1,000 blocked domains of 65,536 characters in all; 23 KB at each edge for 1,000 of 20 characters',
      file: 'exchange/packed-domains.test.ts',
      title: 'holds 1,000 blocked domains of a source in 23 KB',
    },
    {
      of: 'account',
      resource: 'entries',
      bound: 'of each resource by tier and environment (docs/limits.md); operators raise it',
      file: limits,
      title: 'lets 50 creations at once make no more of anything than the limit',
    },
    {
      of: 'account',
      resource: 'bytes',
      bound: 'campaigns and strategies 64 MiB each (sandbox 8 MiB), block lists 16 MiB (2 MiB); operators raise it',
      file: limits,
      title: 'holds the bytes of campaigns and of strategies to their limits',
    },
    {
      of: 'account',
      resource: 'disk',
      bound: 'files of creatives: 20 GiB, in the sandbox 1 GiB; operators raise it',
      file: room,
      title: "refuses a creative beyond the account's share of bytes, and changes nothing",
    },
    {
      of: 'exchange',
      resource: 'disk',
      bound: 'files of creatives: 100 GiB (CREATIVES_QUOTA_MIB); unused ones are deleted after two days',
      file: room,
      title: 'stores no more than the limit of all files, over all senders',
    },
  ],
};
