import Type from 'typebox';
import { isOperator } from '../../identity/caller.ts';
import { defineRoute } from '../../routing/route.ts';
import { type AttentionCheck, AttentionItem, MAX_SOURCES_CHECKED } from './attention-item.ts';
import { checkAccount } from './checks/account.ts';
import { checkCampaigns } from './checks/campaigns.ts';
import { checkCreatives } from './checks/creatives.ts';
import { checkDemand } from './checks/demand.ts';
import { checkExchange } from './checks/exchange.ts';
import { checkSupply } from './checks/supply.ts';

const MOST_MATTERS = 200;
const SEVERITIES = ['critical', 'warning', 'notice'];
const OF_AN_ACCOUNT: readonly AttentionCheck[] = [
  checkDemand,
  checkSupply,
  checkCampaigns,
  checkCreatives,
  checkAccount,
];

export const attention = defineRoute({
  method: 'GET',
  path: '/api/attention',
  tag: 'Metrics',
  operationId: 'getAttention',
  summary: 'List what needs somebody: paused bidders, spent budgets, failed ads.txt files, what is not finished',
  description: `The worst first, at most ${MOST_MATTERS}. Operators see what concerns the whole exchange as well. Of more than ${MAX_SOURCES_CHECKED} sources of a kind, those that changed last are looked at.`,
  access: 'account',
  answer: {
    status: 200,
    schema: Type.Object({
      matters: Type.Array(AttentionItem, { description: 'The worst first.' }),
      left_out: Type.Integer({ minimum: 0, description: 'How many more there are.' }),
    }),
    headers: { 'Cache-Control': 'no-store' },
  },
  examples: {
    answer: {
      matters: [
        {
          kind: 'publisher-without-pool',
          severity: 'warning',
          subject: { type: 'publisher', id: '8f14e45f-ceea-467f-a8d5-1c2f3b4a5d6e', name: 'Home page' },
          since: '2026-03-14T09:26:53.589Z',
          message: 'Home page is in no pool, so no demand source is asked for its ads.',
          remedy: 'Assign it to a pool.',
        },
      ],
      left_out: 0,
    },
  },
  async handle({ caller, parts }) {
    const context = { parts, caller, nowMs: parts.clock.now() };
    const checks = isOperator(caller) ? [...OF_AN_ACCOUNT, checkExchange] : OF_AN_ACCOUNT;
    const found = (await Promise.all(checks.map((check) => check(context)))).flat();
    found.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
    return { matters: found.slice(0, MOST_MATTERS), left_out: Math.max(0, found.length - MOST_MATTERS) };
  },
});
