import { expect } from 'chai';
import { bidderHealth } from '#actors/bidder-health/bidder-health';
import { ConnectionProblem } from '#actors/bidder-health/messages';
import { dsp } from '#actors/dsp/dsp';
import { job } from '#actors/job/job';
import type { DeadLetterQueue } from '#gateways/dead-letter-queue';
import type { ManagementDeps } from '#gateways/management/deps';
import type { AttentionContext } from '#gateways/management/resources/attention/attention-item';
import { checkCampaigns } from '#gateways/management/resources/attention/checks/campaigns';
import { checkDemand } from '#gateways/management/resources/attention/checks/demand';
import { checkExchange } from '#gateways/management/resources/attention/checks/exchange';
import type { Query } from '#runtime/ports/store';
import { letter } from '../../runtime/store-contract/documents.ts';
import { type EmbeddedStoreAlone, openStoreAlone } from '../../scheduler/jobs/embedded-store.ts';

const NOW_MS = Date.UTC(2026, 2, 14, 9);

describe('gateways/management: what needs attention in a large exchange', () => {
  let alone: EmbeddedStoreAlone;
  beforeEach(async () => {
    alone = await openStoreAlone();
  });
  afterEach(() => alone.close());

  const contextWith = (parts: object): AttentionContext => ({
    parts: { store: alone.store, deadLetters: queueOf(), ...parts } as unknown as ManagementDeps,
    caller: { accountId: 'account-1', partnerId: null, sandbox: false } as AttentionContext['caller'],
    nowMs: NOW_MS,
  });
  const queueOf = (): Pick<DeadLetterQueue, 'list'> => ({ list: (options) => alone.store.deadLetters(options) });

  it('includes dead letters that wait behind more than 500 replayed ones', async () => {
    const decided = Array.from({ length: 600 }, (_, index) =>
      letter(`1:1795250000000-${String(index).padStart(4, '0')}`, { parkedAtMs: 1, replayedAtMs: 2 }),
    );
    const waiting = [
      letter('2:1795250000000-1', { parkedAtMs: NOW_MS - 1_000 }),
      letter('2:1795250000000-2', { parkedAtMs: NOW_MS - 2_000 }),
    ];
    await alone.store.park([...decided, ...waiting]);
    const [matter] = await checkExchange(contextWith({}));
    expect(matter).to.include({
      kind: 'dead-letters-waiting',
      since: new Date(NOW_MS - 2_000).toISOString(),
      message: '2 messages could not be handled. Statements that they concern stay open.',
    });
  });

  it('includes a job that fails among more than 100 jobs', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `job-${String(index).padStart(3, '0')}`);
    const idle = { description: {}, failures: 0, lastFailure: null, nextAtMs: null, running: null, last: null };
    const failing = { ...idle, failures: 1, lastFailure: { atMs: NOW_MS, reason: 'no room' } };
    for (const [index, name] of names.entries()) await alone.put(job.kind, name, index < 100 ? idle : failing);
    const found = await checkExchange(contextWith({}));
    expect(found.map(({ subject }) => subject?.id)).to.deep.equal(['job-100']);
  });

  it('includes an audit that found differences, in the books or in the audit trail, until one finds none', async () => {
    const ran = (figures: object) => ({
      ...{ description: {}, failures: 0, lastFailure: null, nextAtMs: null, running: null },
      last: { endedAtMs: NOW_MS, outcome: '2026-03 up to …: 3 differences', ...figures },
    });
    const runs = [
      [{ figures: { books: 3, trail: 0 } }, ['audit-difference']],
      [{ figures: { books: 0, trail: 1 } }, ['audit-difference']],
      [{ figures: { books: 0, trail: 0 } }, []],
      [{}, []],
    ] as const;
    for (const [index, [figures, expected]] of runs.entries()) {
      await alone.put(job.kind, 'audit', ran(figures), { version: index + 1 });
      const found = await checkExchange(contextWith({}));
      expect(found.map(({ kind }) => kind)).to.deep.equal(expected);
      for (const { severity, subject, message } of found) {
        expect([severity, subject?.id]).to.deep.equal(['critical', 'audit']);
        expect(message).to.include('3 differences');
      }
    }
  });

  it('is searched in the campaigns of the demand sources that changed last', async () => {
    const asked: [string, Query][] = [];
    const query = async (kind: string, options: Query) => {
      asked.push([kind, options]);
      return { documents: [], total: 0 };
    };
    await checkCampaigns(contextWith({ store: { query } }));
    const [[kind, { orderBy, descending }]] = asked as [[string, Query]];
    expect([kind, orderBy, descending]).to.deep.equal([dsp.kind, 'updatedAt', true]);
  });

  for (const connectionProblem of ConnectionProblem.enum) {
    it(`includes a bidder that gets no connection, before its open breaker: ${connectionProblem}`, async () => {
      const state = { name: 'Acme DSP', mode: 'rtb', healthResets: 0, dailyBudgetCents: 0 };
      const report = {
        region: 'fra',
        breaker: 'open',
        callsPerSecond: 0,
        calls: 20,
        timeouts: 0,
        errors: 20,
        timed: 0,
        latencyMicros: 0,
      };
      const edges = { one: { ...report, connectionProblem, heardAtMs: NOW_MS - 1_000 } };
      await alone.put(bidderHealth.kind, 'dsp-1', { resets: 0, edges, lastBidAtMs: null });
      const query = async () => ({ documents: [{ id: 'dsp-1', state }], total: 1 });
      const store = { query, load: (keys: never) => alone.store.load(keys) };
      const found = await checkDemand(contextWith({ store }));
      expect(found).to.have.length(1);
      expect(found[0]).to.deep.include({
        kind: 'bidder-connection',
        severity: 'critical',
        subject: { type: 'dsp', id: 'dsp-1', name: 'Acme DSP' },
      });
      expect(found[0]!.message).to.match(/^Acme DSP cannot be asked for bids: \S/);
      expect(found[0]!.remedy).to.match(/\S/);
    });
  }
});
