import { expect } from 'chai';
import { ledger } from '#actors/ledger/ledger';
import { hourLedgerIdOf, hourOfLedger } from '#actors/ledger/ledger-id';
import type { ClosedHour, MinuteBatch } from '#actors/ledger/messages';
import { namesOf } from '#actors/ledger/names-text';
import { packPage, unpackPage } from '#actors/ledger/packed-page';
import type { LedgerPage } from '#actors/ledger/page-schema';
import type { LedgerState } from '#actors/ledger/state';
import { type Audit, auditBooks } from '#scheduler/audit/audit-books';
import { auditing, checksOf } from './auditing.ts';
import { books, DAY_MS, documentOf, HOUR_MS, ledgersOfHours, MARCH, ofDsp, ofPublisher } from './books.ts';

/**
 * What has become of the two hours in which something was sold: the later one may still be open, or kept, or deleted.
 */
const STAGES = {
  'open hours': ({ open }) => open(9, 10),
  'one hour in the day, one open': ({ file, open }) => {
    file(9);
    open(10);
  },
  'one hour in the day and deleted, one open': ({ file, remove, open }) => {
    file(9);
    remove(9);
    open(10);
  },
  'hours that their days have received': ({ file }) => file(9, 10),
  'days whose hours are deleted': ({ file, remove }) => {
    file(9, 10);
    remove(9, 10);
  },
} satisfies Record<string, (hours: Hours) => void>;

type Stage = keyof typeof STAGES;

interface Hours {
  open(...hours: number[]): void;
  file(...hours: number[]): void;
  remove(...hours: number[]): void;
}

/** The ledgers of hours and days, as the job files them. */
function ledgersAt(stage: Stage): Map<string, LedgerState> {
  const booked = ledgersOfHours();
  const ledgers = new Map<string, LedgerState>();
  const of = (hours: readonly number[]) => [...booked].filter(([id]) => hours.includes(hourOfLedger(id)!));
  const handle = (id: string, message: Parameters<typeof ledger.handle>[1]) => {
    const state = ledgers.get(id) ?? ledger.initial(id);
    ledgers.set(id, state);
    ledger.handle(state, message, { id, address: `ledger/${id}`, nowMs: 0, position: '9-0', random: () => 0 });
  };
  const open = (...hours: number[]) => {
    for (const [id, state] of of(hours)) ledgers.set(id, state);
  };
  const file = (...hours: number[]) => {
    open(...hours);
    for (const [id] of of(hours)) {
      handle(id, { type: 'close', body: {} });
      for (const { to, body } of ledger.totals!(ledgers.get(id)!, null, id).filter(({ type }) => type === 'hour'))
        handle(to.slice('ledger/'.length), { type: 'hour', body: structuredClone(body) as ClosedHour });
    }
  };
  const remove = (...hours: number[]) => {
    for (const [id] of of(hours)) ledgers.delete(id);
  };
  STAGES[stage]({ open, file, remove });
  return ledgers;
}

/** One more impression in the last of these minutes. */
function addToLastMinute(batch: MinuteBatch): void {
  const last = Object.keys(batch.pages).at(-1)!;
  const names = namesOf(batch.names);
  const page = unpackPage(batch.pages[last]!, names);
  page.fra!.impressions += 1;
  batch.pages[last] = packPage(page, names);
}

/** While minutes are read of the day. */
const UP_TO_THE_DAY = { ...MARCH, toMs: DAY_MS + 24 * HOUR_MS };

describe('scheduler/audit of ledgers of hours', () => {
  const at = auditing();

  /**
   * Audits the books at a stage, once a test, after a change of the ledgers; within March or up to the end of the day.
   */
  async function audited(
    stage: Stage,
    spoil: (ledgers: Map<string, LedgerState>) => void = () => {},
    stretch = MARCH,
  ): Promise<Audit> {
    const others = [...books().values()].filter(({ kind }) => kind !== ledger.kind);
    const ledgers = ledgersAt(stage);
    spoil(ledgers);
    await at.store.save([...others, ...[...ledgers].map(([id, state]) => documentOf(ledger.kind, id, state))]);
    return auditBooks(at.store, stretch);
  }

  const oneMoreIn = (id: string, hour: number) => (ledgers: Map<string, LedgerState>) => {
    const region = ledgers.get(id)!.hours[hour]!.fra!;
    region.grossNanos += 1;
    Object.values(region.counterparties)[0]!.grossNanos += 1;
  };

  for (const stage of Object.keys(STAGES) as Stage[]) {
    it(`finds no difference in ${stage}, and counts them by the day`, async () => {
      const audit = await audited(stage);
      expect(audit.differences).to.deep.equal([]);
      expect(audit).to.include({ ledgers: 14, tallies: 2, statements: 4, budgets: 1 });
      const { differences, ledgers } = await auditBooks(at.store, UP_TO_THE_DAY);
      expect(differences, 'with minutes').to.deep.equal([]);
      expect(ledgers).to.equal(14);
    });
  }

  for (const stage of ['open hours', 'one hour in the day, one open'] as const) {
    it(`finds a nano-dollar more in an hour that its day has not received: ${stage}`, async () => {
      const audit = await audited(stage, oneMoreIn(hourLedgerIdOf(ofPublisher, 10), 10));
      // There is no page of the day yet that could contradict.
      expect(checksOf(audit)).to.include.members([
        'publishers make the platform',
        'sold is bought',
        'statements are what their ledgers come to',
      ]);
    });
  }

  it('finds a nano-dollar more in a day that has received it', async () => {
    const audit = await audited('days whose hours are deleted', oneMoreIn(ofPublisher, 9));
    expect(checksOf(audit)).to.include.members(['hours make the day', 'sold is bought']);
  });

  it('looks at what the day has received, not at what its hour said', async () => {
    const audit = await audited('hours that their days have received', oneMoreIn(hourLedgerIdOf(ofPublisher, 9), 9));
    expect(audit.differences).to.deep.equal([]);
  });

  for (const [stage, hour] of [
    ['open hours', 9],
    ['one hour in the day and deleted, one open', 10],
    ['hours that their days have received', 9],
  ] as const) {
    it(`finds a minute that says other than its hour, as long as the hour’s ledger is kept: ${stage}`, async () => {
      const anotherMinute = (ledgers: Map<string, LedgerState>) => {
        const { minutes, leaving = [] } = ledgers.get(hourLedgerIdOf(ofPublisher, hour))!;
        const last = Object.keys(minutes).at(-1);
        if (last !== undefined) (minutes[last] as LedgerPage).fra!.impressions += 1;
        else addToLastMinute(leaving[0]!);
      };
      expect(checksOf(await audited(stage, anotherMinute, UP_TO_THE_DAY))).to.deep.equal(['minutes make the hours']);
    });
  }

  it('finds an open hour that is lost', async () => {
    const audit = await audited('one hour in the day, one open', (ledgers) => {
      ledgers.delete(hourLedgerIdOf(ofDsp, 10));
    });
    expect(checksOf(audit)).to.include.members(['sold is bought', 'statements are what their ledgers come to']);
  });

  it('finds a received hour that its day has lost', async () => {
    const audit = await audited('days whose hours are deleted', (ledgers) => {
      delete ledgers.get(ofDsp)!.hours['9'];
    });
    expect(checksOf(audit)).to.include.members(['hours make the day', 'sold is bought']);
  });

  it('finds an hour that counts twice, because its day forgot that it has it', async () => {
    const audit = await audited('hours that their days have received', (ledgers) => {
      ledgers.get(ofPublisher)!.filed = 1 << 10;
    });
    expect(checksOf(audit)).to.include.members(['publishers make the platform', 'sold is bought']);
  });
});
