import type { SecurityRows } from '../attack.ts';

const chains = 'scheduler/audit/check-trail.test.ts';
const routes = 'gateways/management/audit-trail.test.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'operator',
      attack: 'alters an entry of the audit trail in the store',
      outcome: '`npm run audit` ends with 1 and names the entry: its place in the chain has the hash of what it said',
      file: chains,
      title: 'finds an entry that was altered and names it: npm run audit ends with 1',
    },
    {
      by: 'operator',
      attack: 'removes an entry of the audit trail from the store',
      outcome: '`npm run audit` ends with 1 and names its place in the chain',
      file: chains,
      title: 'finds an entry that was removed and names its place: npm run audit ends with 1',
    },
    {
      by: 'operator',
      attack: 'removes the newest entries, and takes them off the count of their chain',
      outcome: '`npm run audit` ends with 1: the chain’s head is not what is left',
      file: chains,
      title: 'finds a chain that was cut short and its entries removed, by its head: npm run audit ends with 1',
    },
    {
      by: 'operator',
      attack: 'inserts an entry of what nobody did, to have another blamed',
      outcome: '`npm run audit` ends with 1 and names the entry',
      file: chains,
      title: 'finds an entry that was inserted and names it: npm run audit ends with 1',
    },
    {
      by: 'operator',
      attack: 'swaps the order of two entries',
      outcome: '`npm run audit` ends with 1 and names both',
      file: chains,
      title: 'finds two entries that have changed places and names both: npm run audit ends with 1',
    },
    {
      by: 'operator',
      attack: 'computes the whole chain of a day anew with an entry altered',
      outcome: 'the store balances; the root of the day differs from the one logged the night after',
      file: chains,
      title: 'has another root of the day where the whole chain was written anew, which no store can tell by itself',
    },
    {
      by: 'operator',
      attack: 'changes something and kills the process (kill -9) right after the answer',
      outcome: 'after the restart the change has exactly one entry, and the chains are whole',
      file: 'composition/audit-trail-kill.test.ts',
      title: 'has exactly one entry of each change that was acknowledged, and of none that was not made',
    },
    {
      by: 'operator',
      attack: 'adds a route or a kind of actor that leaves no entry',
      outcome:
        'a kind leaves entries unless it says what is none, and why; those that must leave some are listed in the tests',
      file: 'actors/audit-trail-kinds.test.ts',
      title: 'is every requested change of a resource, and of other kinds what somebody does',
    },
  ],
  budgets: [
    {
      of: 'account',
      resource: 'entries',
      bound:
        'one audit entry for each change asked for, each field at most 2,048 characters; failed log-ins leave none',
      file: routes,
      title: 'has one entry of every change that a route makes, and none of what changes nothing',
    },
  ],
};
