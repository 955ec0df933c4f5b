import Type from 'typebox';
import { isInScope } from '#actors/account/scope';
import { creative } from '#actors/creative/creative';
import type { CreativeState } from '#actors/creative/reduce';
import { dsp } from '#actors/dsp/dsp';
import type { DspState } from '#actors/dsp/reduce';
import { PERIODS, type Period, reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { boundedRowName } from '#actors/ledger/row-name';
import type { ReviewScope } from '#exchange/creative/review-scope';
import { centsOf } from '#exchange/money/cents';
import type { ManagementDeps } from '../../deps.ts';
import { type Caller, isOperator } from '../../identity/caller.ts';
import { defineRoute } from '../../routing/route.ts';
import { seesAll } from '../auctions/perspective.ts';
import { loadLedgers } from '../metrics/load-ledgers.ts';
import { Creative, CreativeParams, MOST_PUBLISHERS_SHOWN, showListed, showParts } from './creative.ts';
import { reviewOf } from './review.ts';
import { seenBy, seesWhole } from './seen-by.ts';
import { loadCreative, loadPublishers, type ReviewingPublisher } from './visible.ts';

/** Other versions of a creative that are named. */
const MOST_VERSIONS = 50;

export const readCreative = defineRoute({
  method: 'GET',
  path: '/api/creatives/:id',
  tag: 'Creatives',
  operationId: 'getCreative',
  summary: 'Read a creative: its markup, what scans found, where it is hosted, what is decided about it, what it sold',
  description:
    'The markup is text of the bidder: show it as text, or by its preview. A partner that sees it by its supply sources alone gets nothing of others: no `figures`, `versions`, `reports` or decisions for their sources. `figures` are exact and up to about a minute old; `wins` and `refusals` are what edges told.',
  access: 'account',
  reach: { operators: 'every-account' },
  params: CreativeParams,
  query: Type.Object({
    period: Type.Optional(Type.Enum([...PERIODS], { default: '30d', description: 'Of `figures`, up to now.' })),
  }),
  answer: { status: 200, schema: Creative },
  async handle({ params: { id }, query: { period = '30d' }, caller, parts }) {
    const state = await loadCreative(parts, id, caller);
    const offeredTo = await loadPublishers(parts, state.publisherIds);
    const isOwn = seesWhole(caller, state);
    const isVisible = (one: ReviewingPublisher) => seesAll(caller) || isInScope(caller.scope, one);
    const visible = new Map([...offeredTo].filter(([, one]) => isVisible(one)).slice(0, MOST_PUBLISHERS_SHOWN));
    const [found] = await seenBy(parts, caller, [{ id, state }]);
    const seen = found!.state;
    const [{ name, figures }, versions, review] = await Promise.all([
      figuresOf(parts, state, period),
      isOwn ? versionsOf(parts, id, state) : [],
      reviewOf(parts, {
        ...{ id, state, publishers: visible, withPools: true },
        mayDecide: (scope) => mayDecide(caller, scope),
      }),
    ]);
    return {
      ...showListed(id, seen, name),
      ...showParts(state, (hash) => `${parts.settings.publicCreativesUrl}/creative/${hash}`),
      review,
      account_id: state.accountId,
      publishers: state.publisherIds
        .filter((publisherId) => isOwn || visible.has(publisherId))
        .slice(0, MOST_PUBLISHERS_SHOWN)
        .map((publisherId) => ({
          publisher_id: publisherId,
          publisher_name: offeredTo.get(publisherId)?.name ?? publisherId,
        })),
      figures: isOwn ? figures : null,
      versions,
      reports: seen.reports,
    };
  },
});

async function figuresOf(parts: ManagementDeps, { dspId, crid, sandbox }: CreativeState, period: Period) {
  const [document] = await parts.store.load([{ kind: dsp.kind, id: dspId }]);
  const { name = dspId, sandboxGeneration = 0 } = (document?.state ?? {}) as Partial<DspState>;
  const nowMs = parts.clock.now();
  const ledgers = await loadLedgers(parts, [{ scope: 'dsp', id: dspId, sandbox, sandboxGeneration }], period, nowMs);
  const row = sumLedgers(ledgers, reportWindowOf(period, nowMs), null).creatives.get(boundedRowName(crid));
  const { bids = 0, wins = 0, impressions = 0, grossNanos } = row ?? {};
  return {
    name,
    figures: { period, bids, wins, impressions, spend_cents: grossNanos === undefined ? 0 : centsOf(grossNanos) },
  };
}

async function versionsOf({ store }: ManagementDeps, id: string, { dspId, crid }: CreativeState) {
  const where = { dspId, crid };
  const found = await store.find(creative.kind, {
    where,
    orderBy: 'lastSeenAt',
    descending: true,
    limit: MOST_VERSIONS,
  });
  const others = found.filter((one) => one.id !== id).map((one) => ({ kind: creative.kind, id: one.id }));
  const documents = await store.load(others, ['fingerprint', 'lastSeenAt']);
  return documents.flatMap((document) => {
    if (!document || document.deleted) return [];
    const { fingerprint, lastSeenAt } = document.state as CreativeState;
    return [{ id: document.id, fingerprint: fingerprint === '' ? null : fingerprint, last_seen_at: lastSeenAt }];
  });
}

/** Whether the caller may decide in this scope, which it sees. */
function mayDecide(caller: Caller, { kind }: ReviewScope): boolean {
  if (kind === 'exchange') return isOperator(caller) && !caller.sandbox && caller.partnerId === null;
  return kind === 'publisher' || (!caller.sandbox && caller.partnerId === null);
}
