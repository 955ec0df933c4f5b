import { expect } from 'chai';
import { budgetId } from '#actors/budget/budget-id';
import type { BudgetState } from '#actors/budget/state';
import type { LedgerState } from '#actors/ledger/state';
import { encodeEnvelope } from '#runtime/node/envelope';
import type { ActorDocument, DeadLetter } from '#runtime/ports/store';
import { answerQuery } from '#runtime/simulator/query';
import { type Audit, auditBooks } from '#scheduler/audit/audit-books';
import { FINALISE_BILLING } from '#scheduler/billing/closed-months';
import { checksOf } from './auditing.ts';
import { books, DAY_MS, HOUR_MS, MARCH, ofAccount, ofCampaign, ofDsp, ofPublisher, paid } from './books.ts';

const BUDGET = `budget/${budgetId({ scope: 'dsp', id: 'dsp-x', sandbox: false })}`;
const MONEY = ['ledger', 'tally', 'statement', 'budget'];

type Documents = Map<string, ActorDocument>;

function audited(documents: Documents, letters: readonly DeadLetter[] = []): Promise<Audit> {
  return auditBooks(
    {
      load: async (keys) => keys.map(({ kind, id }) => documents.get(`${kind}/${id}`) ?? null),
      async *scan(kind) {
        for (const document of documents.values()) if (document.kind === kind) yield document;
      },
      find: async (kind, query) => {
        const ofKind = [...documents.values()].filter((document) => document.kind === kind);
        return answerQuery(ofKind, query).documents;
      },
      deadLetters: async ({ after = '' }) => letters.filter(({ id }) => id > after),
    },
    MARCH,
  );
}

// biome-ignore lint/suspicious/noExplicitAny: of whatever kind
const stateOf = (documents: Documents, address: string) => documents.get(address)!.state as any;

/** The paths of all numbers in it. */
function numbersIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value === 'number') return [[...path]];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, part]) => numbersIn(part, [...path, name]));
}

function addAt(state: unknown, path: readonly string[], more: number): void {
  // biome-ignore lint/suspicious/noExplicitAny: of whatever kind
  const parent = path.slice(0, -1).reduce((value: any, name) => value[name], state);
  parent[path.at(-1)!] += more;
}

/** An impression of dsp-x that was parked, of this gross. */
function letterOf(grossNanos: number, replayedAtMs: number | null): DeadLetter {
  const [to, type] = ['tally/0', 'impression'];
  const body = { publisher: 'publisher-a', dsp: 'dsp-x', priceCpmMicros: grossNanos };
  const position = `${DAY_MS}-0`;
  const payload = encodeEnvelope({ to, type, body });
  const parked = { id: `0:${position}`, partition: 0, position, to, type, payload, reason: 'test' };
  return { ...parked, parkedAtMs: DAY_MS, replayedAtMs };
}

describe('scheduler/audit of money that was altered or lost', () => {
  it('finds no difference where there is none', async () => {
    expect((await audited(books())).differences).to.deep.equal([]);
  });

  it('misses every document that held money', async () => {
    const unnoticed: string[] = [];
    for (const [address, { kind }] of books()) {
      const documents = books();
      documents.delete(address);
      if (MONEY.includes(kind) && (await audited(documents)).differences.length === 0) unnoticed.push(address);
    }
    expect(unnoticed).to.deep.equal([]);
  });

  for (const more of [1, -1]) {
    it(`finds each figure of a budget that is altered by ${more}, but for what nothing else says`, async () => {
      const unnoticed = new Set<string>();
      for (const path of numbersIn(stateOf(books(), BUDGET))) {
        const documents = books();
        addAt(stateOf(documents, BUDGET), path, more);
        if ((await audited(documents)).differences.length === 0) unnoticed.add(path.join('.').replace(/\d+/, 'n'));
      }
      // An older revision may just not have been told; what was sold and is not shown, the edges alone know.
      const untold = more < 0 ? ['limits.revision'] : ['slots.n.seededNanos', 'slots.n.closedNanos'];
      expect([...unnoticed]).to.have.members(untold);
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: each spoils a state of another kind
  const spoilt: readonly [string, (state: any) => void, string][] = [
    ['settled money', (state) => (state.settledNanos -= 1), 'settled is billed'],
    ['a settled day that is gone', (state) => (state.settledDays = []), 'settled is billed'],
    ['a slot that is gone, with what was billed of it', (state) => state.slots.pop(), 'what is billed was leased'],
    ['less than was billed of a slot', (state) => (state.slots[0].closedNanos -= 1), 'what is billed was leased'],
    ['more than the day allows', (state) => (state.slots[0].closedNanos += 30_000_000), 'budgets are kept'],
    ['another limit', (state) => (state.limits.dailyNanos += 1), 'budgets are held to settings'],
    ['settings that are yet to come', (state) => (state.limits.revision += 1), 'budgets are held to settings'],
    ['limits of later than it was opened for', (state) => (state.limits.sinceMs += 1), 'budgets are held to settings'],
    ['an opening that bars the next', (state) => (state.openedSinceMs += 1), 'budgets are opened for their limits'],
    ['slots that nobody finds', (state) => (state.oldestSlotMs = null), 'open slots are found'],
  ];
  for (const [what, spoil, check] of spoilt) {
    it(`finds a budget with ${what}`, async () => {
      const documents = books();
      spoil(stateOf(documents, BUDGET));
      expect(checksOf(await audited(documents))).to.include(check);
    });
  }

  it('misses a budget that was sold from, and none that its settings took away or gave too late', async () => {
    const documents = books();
    documents.delete(BUDGET);
    expect(checksOf(await audited(documents))).to.deep.equal(['budgets are there']);
    const settings = stateOf(documents, 'dsp/dsp-x');
    settings.limitedSinceMs = DAY_MS + 20 * HOUR_MS;
    expect((await audited(documents)).differences).to.deep.equal([]);
    Object.assign(settings, { limitedSinceMs: 0, dailyBudgetCents: 0 });
    expect((await audited(documents)).differences).to.deep.equal([]);
  });

  it('lets a demand source’s budget begin on a later day than its ledgers', async () => {
    const documents = books();
    const [address, earlier] = [`ledger/${ofDsp}`, ofDsp.replace('2026-03-30', '2026-02-10')];
    const state = structuredClone(stateOf(documents, address)) as LedgerState;
    const february = Date.parse('2026-02-10T00:00:00Z') - DAY_MS;
    const slots = Object.entries(state.slots).map(([slot, sum]) => [Number(slot) + february, sum]);
    documents.set(`ledger/${earlier}`, {
      ...documents.get(address)!,
      id: earlier,
      state: { ...state, slots: Object.fromEntries(slots) },
    });
    const [settings, budget] = [stateOf(documents, 'dsp/dsp-x'), stateOf(documents, BUDGET)];
    const limitedSinceMs = Date.parse('2026-03-01T00:00:00Z');
    Object.assign(settings, { limitedSinceMs });
    Object.assign(budget, { openedSinceMs: limitedSinceMs, limits: { ...budget.limits, sinceMs: limitedSinceMs } });
    expect((await audited(documents)).differences).to.deep.equal([]);
    budget.settledNanos += 1;
    expect(checksOf(await audited(documents))).to.deep.equal(['settled is billed']);
  });

  it('allows for what was parked and billed after its window was settled, and for no more than that', async () => {
    const documents = books();
    const budget = stateOf(documents, BUDGET) as BudgetState & { settledNanos: number };
    budget.settledNanos -= 1_000;
    (budget.settledDays[0] as { nanos: number }).nanos -= 1_000;
    const replayed = (nanos: number) => [letterOf(nanos, DAY_MS + HOUR_MS)];
    expect((await audited(documents, replayed(1_000))).differences).to.deep.equal([]);
    expect(checksOf(await audited(documents, replayed(999)))).to.deep.equal(['settled is billed']);
  });

  it('misses a statement once the job that freezes them was done, unless a parked message held it open', async () => {
    const documents = books();
    documents.delete(`statement/${paid}`);
    const gone = ['closed months have their statements', 'statements of publishers make those of demand sources'];
    expect(checksOf(await audited(documents))).to.deep.equal(gone);
    expect(checksOf(await audited(documents, [letterOf(1_000, null)]))).to.deep.equal(['nothing is parked']);
    const afterRun = await audited(documents, [letterOf(1_000, MARCH.toMs + HOUR_MS)]);
    expect(checksOf(afterRun)).to.not.include.members(gone);
    const job = stateOf(documents, `job/${FINALISE_BILLING}`);
    job.doneMs = MARCH.toMs - 1;
    expect((await audited(documents)).differences).to.deep.equal([]);
  });

  it('misses a statement of a month that is archived, by the other side', async () => {
    const documents = books();
    for (const [address, { kind }] of documents) {
      if (kind === 'ledger' || kind === 'tally' || kind === 'budget') documents.delete(address);
    }
    expect((await audited(documents)).differences).to.deep.equal([]);
    documents.delete(`statement/${paid}`);
    expect(checksOf(await audited(documents))).to.deep.equal(['statements of publishers make those of demand sources']);
  });

  it('misses the ledger of a delegate’s campaign, and none of who may have bought otherwise', async () => {
    const documents = books();
    documents.delete(`ledger/${ofCampaign}`);
    expect(checksOf(await audited(documents))).to.deep.equal(['campaigns make their delegate']);
    const settings = stateOf(documents, 'dsp/dsp-x');
    settings.updatedAt = new Date(DAY_MS - HOUR_MS).toISOString();
    expect((await audited(documents)).differences).to.deep.equal([]);
    Object.assign(settings, { mode: 'rtb', updatedAt: settings.createdAt });
    expect((await audited(documents)).differences).to.deep.equal([]);
  });

  it('takes the campaigns of a delegate whose sandbox was reset for swept', async () => {
    const documents = books();
    documents.delete(`ledger/${ofCampaign}:sandbox`);
    expect(checksOf(await audited(documents))).to.deep.equal(['campaigns make their delegate']);
    stateOf(documents, 'dsp/dsp-x').sandboxGeneration = 1;
    expect((await audited(documents)).differences).to.deep.equal([]);
  });

  it('misses the ledgers of accounts on the first day, and not where older edges named none', async () => {
    const documents = books();
    documents.delete(`ledger/${ofAccount}`);
    documents.delete(`ledger/${ofAccount.replace('account-1', 'account-0')}`);
    expect(checksOf(await audited(documents))).to.deep.equal([
      'accounts make the platform',
      'invalid traffic of accounts makes the platform’s',
    ]);
    const older = [ofPublisher, ofPublisher.replace('publisher-a', 'publisher-b')];
    for (const id of older) stateOf(documents, `ledger/${id}`).slots = {};
    expect(checksOf(await audited(documents))).to.not.include('accounts make the platform');
  });
});
