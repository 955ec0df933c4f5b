import type { AdjustmentState } from '#actors/adjustment/state';
import { budgetId } from '#actors/budget/budget-id';
import { type BudgetState, emptyBudget, emptyBudgetWindow, withWindows } from '#actors/budget/state';
import type { Impression } from '#actors/impression-rollup/messages';
import { emptyImpressionRollup, foldImpression, foldInvalid } from '#actors/impression-rollup/reduce';
import type { ImpressionRollupState } from '#actors/impression-rollup/state';
import { unpublishedSends } from '#actors/impression-rollup/totals';
import { ledger } from '#actors/ledger/ledger';
import { ledgerId, PLATFORM_OWNER_ID } from '#actors/ledger/ledger-id';
import type { Totals } from '#actors/ledger/messages';
import { assembleDays } from '#actors/ledger/read-ledgers';
import type { LedgerState } from '#actors/ledger/state';
import { adjustmentLines } from '#actors/statement/adjustment-lines';
import { canonicalLedgerText } from '#actors/statement/canonical-text';
import { statementFigures } from '#actors/statement/figures';
import { statementId } from '#actors/statement/statement-id';
import type { ActorDocument } from '#runtime/ports/store';
import { FINALISE_BILLING } from '#scheduler/billing/closed-months';
import { sha256 } from '#scheduler/billing/freeze-statement';
import { leavingOf } from '#test/support/leaving-minutes';

const MONTH = '2026-03';
export const DAY = '2026-03-30';
export const DAY_MS = Date.parse(`${DAY}T00:00:00Z`);
export const MARCH = { fromMs: Date.parse('2026-03-01T00:00:00Z'), toMs: Date.parse('2026-04-01T00:00:00Z') };
export const HOUR_MS = 3_600_000;
export const PARTITIONS = 2;
const DSP_BUDGET_NANOS = 40_000_000;
const CREATED_AT = '2026-01-01T00:00:00.000Z';
const CREATED_MS = Date.parse(CREATED_AT);
const SETTLED_THROUGH_MS = DAY_MS + 9.5 * HOUR_MS;

export const KINDS = [
  'ledger',
  'tally',
  'statement',
  'publisher',
  'campaign',
  'dsp',
  'budget',
  'watermark',
  'job',
  'adjustment',
];
const publishers = ['publisher-a', 'publisher-b'];
const dsps = ['dsp-x', 'dsp-y'];
export const ofPublisher = ledgerId('publisher', 'publisher-a', DAY_MS, false);
export const ofDsp = ledgerId('dsp', 'dsp-x', DAY_MS, false);
export const ofCampaign = ledgerId('campaign', 'campaign-1', DAY_MS, false);
export const ofAccount = ledgerId('account', 'account-1', DAY_MS, false);
export const ofPlatform = ledgerId('platform', PLATFORM_OWNER_ID, DAY_MS, false);
export const sandboxed = ledgerId('publisher', 'publisher-a', DAY_MS, true);
export const paid = statementId('publisher', 'publisher-a', MONTH);

/** As it is when the first half of what was sold is settled, and the edges have closed the other. */
function budgetOf({ slots }: LedgerState): BudgetState {
  const sold = Object.entries(slots).map(([slot, { grossNanos }]) => ({ slotMs: Number(slot), nanos: grossNanos }));
  const limits = { dailyNanos: DSP_BUDGET_NANOS, totalNanos: 0, sinceMs: CREATED_MS, revision: 1 };
  const open = sold.filter(({ slotMs }) => slotMs > SETTLED_THROUGH_MS);
  const opened = { ...emptyBudget(), limits, openedSinceMs: CREATED_MS, settledThroughMs: SETTLED_THROUGH_MS };
  const settled = sold.filter(({ slotMs }) => slotMs <= SETTLED_THROUGH_MS);
  const settledNanos = settled.reduce((sum, { nanos }) => sum + nanos, 0);
  return withWindows(
    { ...opened, settledNanos, settledDays: [{ day: DAY, nanos: settledNanos }] },
    open.map(({ slotMs, nanos }) => ({ ...emptyBudgetWindow(slotMs), closedNanos: nanos })),
  );
}

/** Some impressions, booked by the reducers that book them in the exchange: tallies, and the ledgers of hours. */
function bookedImpressions() {
  const tallies = new Map<string, ImpressionRollupState>();
  const booked = new Map<string, LedgerState>();
  for (let count = 0; count < 60; count += 1) {
    const atMs = DAY_MS + 9 * HOUR_MS + count * 80_000;
    const impression: Impression = {
      id: `impression-${count}`,
      auction: `auction-${count}`,
      publisher: publishers[count % 2]!,
      dsp: dsps[count % 3 === 0 ? 0 : 1]!,
      ...(count % 3 === 0 ? { campaign: 'campaign-1' } : {}),
      account: `account-${count % 2}`,
      soldAtMs: atMs - 60_000,
      crid: 'creative',
      priceCpmMicros: 1_000_000 + count,
      feePpm: 150_000,
      region: count % 5 === 0 ? 'nyc' : 'fra',
      ...(count % 7 === 0 ? { sandbox: true } : {}),
    };
    const partition = count % PARTITIONS;
    const id = `${partition}:${DAY}`;
    const state = tallies.get(id) ?? emptyImpressionRollup();
    tallies.set(id, state);
    const at = context(`tally/${id}`, atMs);
    if (count % 11 === 0) foldInvalid(state, { ...impression, reason: 'data-centre' }, at);
    if (count % 13 === 0) foldInvalid(state, { ...impression, id: `invalid-${count}`, reason: 'bot-user-agent' }, at);
    foldImpression(state, count % 11 === 0 ? { ...impression, revalidates: 'data-centre' } : impression, at);
  }
  for (const [id, state] of tallies) {
    for (const { to, type, body } of unpublishedSends(state, null, id)) {
      if (!to.startsWith('ledger/')) continue;
      const ledgerOf = to.slice('ledger/'.length);
      const held = booked.get(ledgerOf) ?? (ledger.initial(ledgerOf) as LedgerState);
      booked.set(ledgerOf, held);
      ledger.handle(held, { type, body } as { type: 'totals'; body: Totals }, context(to, (body as Totals).minuteMs));
    }
  }
  return { tallies, booked };
}

/** The ledgers of hours that {@link books} is of, by their ids. */
export function ledgersOfHours(): Map<string, LedgerState> {
  return bookedImpressions().booked;
}

/** The books of some impressions, made by the reducers that make them in the exchange. */
export function books(trades: readonly AdjustmentState[] = []): Map<string, ActorDocument> {
  const { tallies, booked } = bookedImpressions();
  const ledgers = new Map<string, LedgerState>();
  const hours = [...booked].map(([of, held]) => ({ id: of, state: held }));
  for (const { id, state } of assembleDays([...hours, ...hours.flatMap(leavingOf)])) {
    // As a release left them that booked by the day.
    delete state.filed;
    ledgers.set(id, state);
  }
  const documents = new Map<string, ActorDocument>();
  const add = (kind: string, id: string, state: unknown) => {
    documents.set(`${kind}/${id}`, documentOf(kind, id, state));
  };
  for (const [id, state] of tallies) add('tally', id, state);
  for (const [id, state] of ledgers) add('ledger', id, state);
  for (const [scope, sources] of [
    ['publisher', publishers],
    ['dsp', dsps],
  ] as const) {
    for (const id of sources) {
      const own = [ledgerId(scope, id, DAY_MS, false)].map((of) => ({ id: of, state: ledgers.get(of)! }));
      const lines = adjustmentLines(
        trades.filter((trade) => (scope === 'publisher' ? trade.publisherId : trade.dspId) === id),
        MONTH,
      );
      const figures = {
        ...statementFigures(scope, MONTH, own, 150_000, lines),
        pagesSha256: sha256(canonicalLedgerText(own)),
      };
      add('statement', statementId(scope, id, MONTH), { frozen: { ...figures, finalizedAtMs: MARCH.toMs } });
    }
  }
  add('dsp', 'dsp-y', { mode: 'rtb', dailyBudgetCents: 0, createdAt: CREATED_AT, updatedAt: CREATED_AT });
  add('campaign', 'campaign-1', { dspId: 'dsp-x', updatedAt: CREATED_AT });
  for (const id of publishers) add('publisher', id, {});
  add('dsp', 'dsp-x', {
    ...{ mode: 'delegate', dailyBudgetCents: DSP_BUDGET_NANOS / 10_000_000, limitedSinceMs: CREATED_MS, revision: 1 },
    ...{ createdAt: CREATED_AT, updatedAt: CREATED_AT },
  });
  const ofBudget = budgetId({ scope: 'dsp', id: 'dsp-x', sandbox: false });
  const settled = documentOf('budget', ofBudget, budgetOf(ledgers.get(ofDsp)!));
  documents.set(`budget/${ofBudget}`, { ...settled, position: `${DAY_MS + 12 * HOUR_MS}-0` });
  const ran = { dueMs: MARCH.toMs + 300_000, startedAtMs: MARCH.toMs + 301_000, endedAtMs: MARCH.toMs + 302_000 };
  add('job', FINALISE_BILLING, { sinceMs: CREATED_MS, doneMs: ran.dueMs, last: { ...ran, outcome: 'frozen' } });
  return documents;
}

function context(address: string, nowMs: number) {
  return { id: address.slice(address.indexOf('/') + 1), address, nowMs, position: `${nowMs}-0`, random: () => 0 };
}

export function documentOf(kind: string, id: string, state: unknown): ActorDocument {
  return {
    ...{ kind, id, partition: 0, version: 1, writer: 'test', position: '1-0', schema: 1, deleted: false, state },
    ...{ outbox: [], viewPending: false, received: {}, replies: {}, published: null },
  };
}
