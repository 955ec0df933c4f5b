import { expect } from 'chai';
import { Registry } from 'prom-client';
import { budget } from '#actors/budget/budget';
import { budgetId } from '#actors/budget/budget-id';
import { BUDGET_WINDOW_MS, budgetWindowStart } from '#actors/budget/budget-window';
import type { BudgetState } from '#actors/budget/state';
import { LEDGER_WATERMARK_ID, watermark } from '#actors/watermark/watermark';
import { actorKinds } from '#composition/actor-kinds';
import { passBarrier } from '#runtime/node/log-barrier';
import type { ActorNode } from '#runtime/node/node';
import type { Clock } from '#runtime/ports/clock';
import { positionTimeMs } from '#runtime/ports/position';
import { systemClock } from '#runtime/providers/system/system-clock';
import { WatermarkMetrics } from '#scheduler/watermark/watermark-metrics';
import { watermarkWorker } from '#scheduler/workers/watermark';
import { PARTITIONS, RunningNodes } from '../../runtime/node/running-nodes.ts';
import { eventually } from '../../support/eventually.ts';
import { bill } from '../watermark/impressions.ts';

const HOUR_MS = 3_600_000;
const WINDOW_MS = 20 * 60_000;
/** When a window that has just begun is settled. */
const SETTLED_AFTER_MS = BUDGET_WINDOW_MS + WINDOW_MS + HOUR_MS + BUDGET_WINDOW_MS;
const HOLDER = { scope: 'dsp', id: 'd1', sandbox: false } as const;
const ID = budgetId(HOLDER);
const PATIENT = { timeoutMs: 60_000 };

describe('the background worker of the watermark', () => {
  let aheadMs: number;
  let nodes: RunningNodes;
  let node: ActorNode;
  let registry: Registry;
  let warnings: { readonly fields: Record<string, unknown>; readonly message: string }[];
  let running: { close(): Promise<void> } | null;
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + aheadMs,
    monotonic: () => systemClock.monotonic() + aheadMs,
  };

  beforeEach(async () => {
    aheadMs = 0;
    warnings = [];
    running = null;
    registry = new Registry();
    nodes = await RunningNodes.open({ ...systemClock, now: clock.now });
    node = await nodes.start(actorKinds);
  });
  afterEach(async () => {
    await running?.close();
    await nodes.close();
  });

  function begin(): void {
    const { log, store } = nodes.embedded;
    const warn = (fields: object, message: string) => warnings.push({ fields: { ...fields }, message });
    running = watermarkWorker({
      messenger: node.messenger,
      store,
      clock,
      logger: { debug: () => undefined, info: () => undefined, warn, error: warn },
      metrics: new WatermarkMetrics(registry),
      passBarrier: (signal, onWaiting) => passBarrier({ ...log, clock: systemClock, signal, onWaiting }),
      renderWindowMs: WINDOW_MS,
      everyMs: 20,
    }).start();
  }

  async function stateOf<T>(kind: string, id: string): Promise<T | null> {
    const [document] = await nodes.embedded.store.load([{ kind, id }]);
    return (document?.state as T | undefined) ?? null;
  }

  const budgetState = () => stateOf<BudgetState>(budget.kind, ID);
  const throughMs = async () =>
    (await stateOf<{ throughMs: number }>(watermark.kind, LEDGER_WATERMARK_ID))?.throughMs ?? 0;

  /** Leases for the present window, and returns its start. */
  async function leased(edge: string): Promise<number> {
    const slotMs = budgetWindowStart(clock.now());
    const limits = { dailyNanos: 10_000, totalNanos: 0, sinceMs: slotMs - HOUR_MS, revision: 1 };
    const opening = { sinceMs: limits.sinceMs, spentNanos: 0, days: [], slotsFromMs: slotMs - HOUR_MS, slots: [] };
    await node.messenger.ask(budget, ID, 'open', opening);
    const request = { edge, number: 1, limits, holdings: [], slotMs, wantNanos: 1_000, leastNanos: 1 };
    const lease = await node.messenger.ask(budget, ID, 'lease', request);
    expect(lease.grantedNanos).to.equal(1_000);
    return slotMs;
  }

  const metric = async (name: string) => (await registry.getSingleMetric(name)!.get()).values[0]?.value;

  it('raises the watermark past what was billed, and on', async () => {
    begin();
    const position = await bill(nodes.embedded.log.log, 1);
    const first = await eventually(
      'the watermark to pass the impression',
      async () => {
        const through = await throughMs();
        return through > positionTimeMs(position) ? through : null;
      },
      PATIENT,
    );
    const ledgers = await nodes.embedded.store.query('ledger', {});
    expect(ledgers.documents.length, 'ledgers hold it by then').to.be.at.least(4);
    await bill(nodes.embedded.log.log, 2);
    await eventually('the watermark to go on', async () => (await throughMs()) > first, PATIENT);
    expect(await metric('books_watermark_lag_seconds')).to.be.within(0, 15);
    expect(warnings).to.deep.equal([]);
  });

  it('raises an alarm where more was billed in a window than was ever leased for it, as with a leaked tracking key', async () => {
    const slotMs = await leased('an edge');
    const { log } = nodes.embedded.log;
    await bill(log, 0, { soldAtMs: slotMs, priceCpmMicros: 900 });
    begin();
    const forged = await bill(log, 3, { soldAtMs: slotMs + 1, priceCpmMicros: 5_000 });
    await eventually('the watermark to pass it', async () => (await throughMs()) > positionTimeMs(forged), PATIENT);
    expect(await metric('budget_billed_beyond_leases_nanos_total')).to.equal(0);
    aheadMs = SETTLED_AFTER_MS;
    await eventually(
      'the alarm',
      async () => (await metric('budget_billed_beyond_leases_nanos_total')) === 4_900,
      PATIENT,
    );
    const window = new Date(slotMs).toISOString();
    const alarm = warnings.find(({ message }) => message.includes('ever leased'));
    expect(alarm?.fields).to.deep.equal({ budget: ID, window, leasedNanos: 1_000, spentNanos: 5_900 });
  });

  it('settles a window once, when no more can be billed in it, by what was billed on either day', async () => {
    const slotMs = await leased('an edge that dies');
    const { log } = nodes.embedded.log;
    begin();
    await bill(log, 0, { soldAtMs: slotMs, priceCpmMicros: 300 });
    await bill(log, 3, { soldAtMs: slotMs + BUDGET_WINDOW_MS - 1, priceCpmMicros: 40 });
    // Sold under no lease, and unknown when the budget was opened; and one that the opening had to know.
    await bill(log, 3, { soldAtMs: slotMs - 1, priceCpmMicros: 5_000 });
    await bill(log, 3, { soldAtMs: slotMs - HOUR_MS - 1, priceCpmMicros: 60_000 });
    await bill(log, 3, { soldAtMs: slotMs, dsp: 'another', priceCpmMicros: 7_000 });
    aheadMs += WINDOW_MS + HOUR_MS - BUDGET_WINDOW_MS;
    const late = await bill(log, 2, { soldAtMs: slotMs, priceCpmMicros: 2 });
    await eventually(
      'the watermark to pass the late one',
      async () => (await throughMs()) > positionTimeMs(late),
      PATIENT,
    );
    expect((await budgetState())!.slots, 'more may come').to.have.length(1);
    aheadMs = SETTLED_AFTER_MS;
    await eventually('the slot to be settled', async () => (await budgetState())!.slots.length === 0, PATIENT);
    expect(await budgetState()).to.deep.include({ settledNanos: 5_342, oldestSlotMs: null, settledThroughMs: slotMs });
    expect(await metric('budget_slots_settled_total')).to.equal(1);
    // Another process takes over, and does all of it again.
    await running!.close();
    registry = new Registry();
    begin();
    const before = await throughMs();
    await eventually('the watermark to go on', async () => (await throughMs()) > before, PATIENT);
    expect((await budgetState())!.settledNanos).to.equal(5_342);
  });

  it('keeps what was leased while an impression of it is parked', async () => {
    const slotMs = await leased('an edge');
    const { log } = nodes.embedded.log;
    await bill(log, 0, { soldAtMs: slotMs, priceCpmMicros: 100 });
    await bill(log, 0, { soldAtMs: slotMs, priceCpmMicros: -1 });
    await eventually(
      'the bad one to be parked',
      async () => (await nodes.embedded.store.deadLetters({ limit: 2 })).length,
      PATIENT,
    );
    aheadMs = SETTLED_AFTER_MS;
    begin();
    await eventually('the duty to say so', () => warnings.length > 0, PATIENT);
    expect(warnings[0]!.message).to.include('the leases of a budget are kept');
    expect(warnings[0]!.fields).to.include({ budget: ID });
    expect((await budgetState())!.slots).to.have.length(1);
    const [letter] = await nodes.embedded.store.deadLetters({ limit: 1 });
    await node.deadLetters.discard(letter!.id, { by: 'an operator', why: 'its price is below nothing' });
    // With the next window.
    aheadMs += BUDGET_WINDOW_MS;
    await eventually('it to be settled', async () => (await budgetState())!.slots.length === 0, PATIENT);
    expect((await budgetState())!.settledNanos, 'what was billed, without what was discarded').to.equal(100);
  });

  it('names the partitions that hold the watermark up, a minute later', async () => {
    await node.stop();
    begin();
    await nodes.embedded.log.log.append(2, ['what nobody takes']);
    expect(warnings).to.deep.equal([]);
    await eventually(
      'a barrier to be begun',
      async () => ((await metric('books_watermark_lag_seconds')) ?? 0) > 0.3,
      PATIENT,
    );
    aheadMs = 61_000;
    await eventually('a warning', () => warnings.length > 0, PATIENT);
    expect(warnings[0]!.fields).to.deep.include({ partitions: [2] });
    expect(warnings[0]!.fields.behindMs).to.be.at.least(61_000);
    expect(PARTITIONS).to.be.above(2);
    expect(await metric('books_watermark_lag_seconds')).to.be.at.least(61);
    expect(warnings, 'said once').to.have.length(1);
    await running!.close();
    expect(await metric('books_watermark_lag_seconds'), 'no figure of a process that keeps no books').to.equal(
      undefined,
    );
  });
});
