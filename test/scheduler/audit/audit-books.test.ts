import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { budgetId } from '../../../actors/budget/budget-id.ts';
import { ledger } from '../../../actors/ledger/ledger.ts';
import { ledgerId, PLATFORM } from '../../../actors/ledger/ledger-id.ts';
import type { Page } from '../../../actors/ledger/page.ts';
import type { LedgerState } from '../../../actors/ledger/reduce.ts';
import type { TallyState } from '../../../actors/tally/reduce.ts';
import { BOOKS } from '../../../actors/watermark/watermark.ts';
import { encodeEnvelope } from '../../../runtime/node/envelope.ts';
import { SILENT } from '../../../runtime/node/logger.ts';
import type { StateStore } from '../../../runtime/ports/store.ts';
import { openEmbedded } from '../../../runtime/providers/embedded/open-embedded.ts';
import { systemClock } from '../../../runtime/providers/system/system-clock.ts';
import { type Audit, auditBooks } from '../../../scheduler/audit/audit-books.ts';
import { printAudit } from '../../../scheduler/audit/print-audit.ts';
import { auditJob } from '../../../scheduler/jobs/audit.ts';
import {
  books,
  DAY,
  DAY_MS,
  documentOf,
  HOUR_MS,
  KINDS,
  MARCH,
  ofAccount,
  ofCampaign,
  ofDsp,
  ofPlatform,
  ofPublisher,
  PARTITIONS,
  paid,
  sandboxed,
} from './books.ts';

describe('scheduler/audit', () => {
  let folder: string;
  let store: StateStore;
  let close: () => Promise<void>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audit-'));
    const embedded = await openEmbedded({ folder, partitions: PARTITIONS, clock: systemClock });
    ({ store, close } = embedded);
    close = () => embedded.close();
    await store.prepare(KINDS.map((kind) => ({ kind, indexes: [] })));
  });
  afterEach(async () => {
    await close();
    await rm(folder, { recursive: true });
  });

  /** Audits the books after a change of one document. */
  async function audited(
    address?: string,
    // biome-ignore lint/suspicious/noExplicitAny: whatever can be spoilt
    spoil: (state: any) => void = () => {},
    stretch = MARCH,
  ): Promise<Audit> {
    const documents = books();
    if (address !== undefined) {
      expect(documents.has(address), address).to.equal(true);
      spoil(documents.get(address)!.state);
    }
    await store.save([...documents.values()]);
    return auditBooks(store, stretch);
  }

  const checksOf = ({ differences }: Audit) => [...new Set(differences.map(({ check }) => check))].sort();

  it('finds no difference where there is none, and says what it has looked at', async () => {
    const audit = await audited();
    expect(audit.differences).to.deep.equal([]);
    // Of 2 publishers, 2 demand sources, a campaign and the platform, live and sandbox, and of 2 accounts.
    expect(audit).to.include({ ledgers: 14, tallies: 2, statements: 4, budgets: 1 });
    expect(printAudit(audit)).to.match(/^The books balance: 14 ledgers, 2 tallies, 4 statements and 1 budgets/);
  });

  /** One more nano-dollar in the page of an hour and region, in its one counterparty too: the page itself is sound. */
  const oneMoreIn = (state: LedgerState, rows = true) => {
    const region = Object.values(state.hours)[0]!.fra!;
    region.grossNanos += 1;
    if (rows) Object.values(region.counterparties)[0]!.grossNanos += 1;
  };

  // biome-ignore lint/suspicious/noExplicitAny: each spoils a state of another kind
  const spoilt: readonly [string, string, (state: any) => void, readonly string[]][] = [
    [
      'a nano-dollar more with a publisher',
      `ledger/${ofPublisher}`,
      oneMoreIn,
      [
        'hours make the day',
        'publishers make the platform',
        'slots make the day',
        'sold is bought',
        'statements are what their ledgers come to',
      ],
    ],
    [
      'a nano-dollar more with a demand source',
      `ledger/${ofDsp}`,
      oneMoreIn,
      [
        'campaigns make their delegate',
        'demand sources make the platform',
        'hours make the day',
        'settled is billed',
        'slots make the day',
        'sold is bought',
        'statements are what their ledgers come to',
      ],
    ],
    [
      'a nano-dollar more in the sandbox',
      `ledger/${sandboxed}`,
      oneMoreIn,
      ['hours make the day', 'publishers make the platform', 'slots make the day', 'sold is bought'],
    ],
    [
      'a nano-dollar that no counterparty has',
      `ledger/${ofDsp}`,
      (state) => oneMoreIn(state, false),
      [
        'campaigns make their delegate',
        'counterparties make the whole',
        'demand sources make the platform',
        'hours make the day',
        'settled is billed',
        'slots make the day',
        'statements are what their ledgers come to',
      ],
    ],
    [
      'a nano-dollar more with the platform',
      `ledger/${ofPlatform}`,
      (state) => oneMoreIn(state, false),
      [
        'accounts make the platform',
        'demand sources make the platform',
        'hours make the day',
        'publishers make the platform',
        'tallies are in the ledgers',
      ],
    ],
    [
      'an account’s impression that is gone',
      `ledger/${ofAccount}`,
      (state: LedgerState) => {
        Object.values(state.hours)[0]!.fra!.impressions -= 1;
      },
      ['accounts make the platform', 'hours make the day'],
    ],
    [
      'a campaign that spent more than its demand source',
      `ledger/${ofCampaign}`,
      (state: LedgerState) => {
        Object.values(state.hours)[0]!.fra!.grossNanos *= 2;
        for (const row of Object.values(Object.values(state.hours)[0]!.fra!.counterparties)) row.grossNanos *= 2;
      },
      ['campaigns within their demand source', 'hours make the day', 'slots make the day'],
    ],
    [
      'a creative with more than there is',
      `ledger/${ofDsp}`,
      (state: LedgerState) => {
        Object.values(Object.values(state.hours)[0]!.fra!.creatives)[0]!.impressions += 1_000;
      },
      ['creatives within the whole', 'hours make the day'],
    ],
    [
      'a sale that moved to another slot’s money',
      `ledger/${ofDsp}`,
      (state: LedgerState) => {
        Object.values(state.slots)[0]!.grossNanos += 1;
      },
      ['settled is billed', 'slots make the day', 'statements are what their ledgers come to'],
    ],
    [
      'a nano-dollar more in a day, of which reports of a week and a month are made',
      `ledger/${ofPublisher}`,
      (state: LedgerState) => {
        state.days[0]!.fra!.grossNanos += 1;
      },
      ['hours make the day'],
    ],
    [
      'a count that a day has and its hours have not',
      `ledger/${ofPlatform}`,
      (state: LedgerState) => {
        state.days[0]!.fra!.counts.auctions = 1;
      },
      ['hours make the day'],
    ],
    [
      'money that a day names another counterparty with',
      `ledger/${ofDsp}`,
      (state: LedgerState) => {
        const rows = state.days[0]!.fra!.counterparties;
        const [name = ''] = Object.keys(rows);
        rows[':somebody-else'] = rows[name]!;
        delete rows[name];
      },
      ['hours make the day'],
    ],
    [
      'a tally that has folded one more',
      `tally/0:${DAY}`,
      (state: TallyState) => {
        state.day.impressions += 1;
      },
      ['tallies are in the ledgers'],
    ],
    [
      'a statement that was changed',
      `statement/${paid}`,
      ({ frozen }: { frozen: { dueCents: number } }) => {
        frozen.dueCents += 1;
      },
      ['statements are what their ledgers come to'],
    ],
    [
      'a demand source that spent more than its budget',
      `budget/${budgetId({ scope: 'dsp', id: 'dsp-x', sandbox: false })}`,
      ({ limits }: { limits: { dailyNanos: number } }) => {
        limits.dailyNanos = 1_000_000;
      },
      ['budgets are held to settings', 'budgets are kept'],
    ],
  ];
  for (const [what, address, spoil, checks] of spoilt) {
    it(`finds ${what}`, async () => {
      const audit = await audited(address, spoil);
      expect(checksOf(audit), JSON.stringify(audit.differences, null, 1)).to.deep.equal([...checks].sort());
      expect(printAudit(audit)).to.match(/The books do not balance: \d+ differences/);
    });
  }

  const anotherMinute = (state: LedgerState) => {
    const newest = Object.keys(state.minutes).at(-1)!;
    (state.minutes[newest] as Page).fra!.impressions += 1;
  };
  const upToTheDay = { ...MARCH, toMs: DAY_MS + 24 * HOUR_MS };

  it('finds a minute that says other than its hour, on the days of which minutes are read', async () => {
    const audit = await audited(`ledger/${ofPublisher}`, anotherMinute, upToTheDay);
    expect(checksOf(audit)).to.deep.equal(['minutes make the hours']);
  });

  it('leaves alone the minutes of earlier days, which nobody reads', async () => {
    const audit = await audited(`ledger/${ofPublisher}`, anotherMinute, {
      ...MARCH,
      toMs: upToTheDay.toMs + 24 * HOUR_MS,
    });
    expect(audit.differences).to.deep.equal([]);
  });

  for (const [minutes, checks] of [
    [5, []],
    [15, ['budgets are kept']],
  ] as const) {
    it(`holds sales to a budget that was lowered ${minutes} minutes before midnight: ${checks.length === 0 ? 'not yet' : 'by then all edges know'}`, async () => {
      const documents = books();
      const address = `budget/${budgetId({ scope: 'dsp', id: 'dsp-x', sandbox: false })}`;
      const { limits } = documents.get(address)!.state as { limits: { dailyNanos: number } };
      limits.dailyNanos = 1_000_000;
      const updatedAt = new Date(DAY_MS - minutes * 60_000).toISOString();
      Object.assign(documents.get('dsp/dsp-x')!.state as object, { updatedAt, revision: 2 });
      await store.save([...documents.values()]);
      expect(checksOf(await auditBooks(store, MARCH))).to.deep.equal(checks);
    });
  }

  it('finds a ledger that is gone', async () => {
    const documents = books();
    documents.delete(`ledger/${ofDsp}`);
    await store.save([...documents.values()]);
    expect(checksOf(await auditBooks(store, MARCH))).to.include.members([
      'demand sources make the platform',
      'sold is bought',
    ]);
  });

  it('takes the books of a sandbox that was reset for swept, not for lost, and finds too much there all the same', async () => {
    const documents = books();
    Object.assign(documents.get('publisher/publisher-a')!.state as object, { sandboxGeneration: 1 });
    const [gone, other] = [documents.get(`ledger/${sandboxed}`)!, ledgerId('publisher', 'publisher-b', DAY_MS, true)];
    documents.delete(`ledger/${sandboxed}`);
    await store.save([...documents.values()]);
    expect((await auditBooks(store, MARCH)).differences).to.deep.equal([]);
    const spoilt = structuredClone(documents.get(`ledger/${other}`)!);
    oneMoreIn(spoilt.state as LedgerState);
    await store.save([gone, { ...spoilt, version: 2 }]);
    const checks = ['hours make the day', 'publishers make the platform', 'slots make the day', 'sold is bought'];
    expect(checksOf(await auditBooks(store, MARCH))).to.deep.equal(checks);
  });

  it('takes the sandbox of more than a hundred days ago for gone, and nothing that was traded live', async () => {
    const documents = books();
    for (const [address, { kind, id }] of documents)
      if (kind === 'ledger' && id.endsWith(':sandbox')) documents.delete(address);
    await store.save([
      ...documents.values(),
      documentOf('watermark', BOOKS, { throughMs: DAY_MS + 100 * 24 * HOUR_MS }),
    ]);
    expect(checksOf(await auditBooks(store, MARCH))).to.deep.equal(['tallies are in the ledgers']);
    const later = { ...documentOf('watermark', BOOKS, { throughMs: DAY_MS + 101 * 24 * HOUR_MS }), version: 2 };
    await store.save([later]);
    expect((await auditBooks(store, MARCH)).differences).to.deep.equal([]);
    const platform = documents.get(`ledger/${ofPlatform}`)!;
    const more = structuredClone(platform);
    for (const page of Object.values((more.state as LedgerState).hours)) page.fra!.grossNanos += 10_000_000_000;
    await store.save([{ ...more, version: 2 }]);
    expect(checksOf(await auditBooks(store, MARCH))).to.include('tallies are in the ledgers');
  });

  it('leaves alone a statement whose ledgers are archived, and not one that lacks a ledger among others', async () => {
    const documents = books();
    const april = ledgerId('platform', PLATFORM, MARCH.toMs, false);
    const archived = [...documents.values()].filter(({ kind }) => kind !== 'ledger' && kind !== 'tally');
    await store.save([...archived, documentOf('ledger', april, ledger.initial(april))]);
    expect(await auditBooks(store, MARCH)).to.deep.include({ statements: 0, differences: [] });
    const begun = ledgerId('platform', PLATFORM, MARCH.fromMs, false);
    await store.save([documentOf('ledger', begun, ledger.initial(begun))]);
    expect(checksOf(await auditBooks(store, MARCH))).to.deep.equal([
      'settled is billed',
      'statements are what their ledgers come to',
    ]);
  });

  it('takes a day of which only the ledgers of campaigns have stayed for archived', async () => {
    const documents = books();
    const april = ledgerId('platform', PLATFORM, MARCH.toMs, false);
    const stayed = [...documents.values()].filter(
      ({ kind, id }) => kind !== 'tally' && (kind !== 'ledger' || id === ofCampaign),
    );
    const older = ledgerId('campaign', 'campaign-1', MARCH.fromMs - 1, false);
    const more = [april, older].map((id) => documentOf('ledger', id, ledger.initial(id)));
    await store.save([...stayed, ...more]);
    expect(await auditBooks(store, MARCH)).to.deep.include({ ledgers: 1, statements: 0, differences: [] });
  });

  it('finds money that is parked, until it is replayed', async () => {
    const position = `${DAY_MS}-0`;
    const body = { publisher: 'publisher-a', dsp: 'dsp-x' };
    const letter = { id: `0:${position}`, partition: 0, position, to: 'tally/0', type: 'impression', reason: 'test' };
    const payload = encodeEnvelope({ to: 'tally/0', type: 'impression', body });
    await store.park([{ ...letter, payload, parkedAtMs: DAY_MS, replayedAtMs: null }]);
    expect(checksOf(await audited())).to.deep.equal(['nothing is parked']);
    await store.markReplayed(letter.id, DAY_MS);
    expect((await auditBooks(store, MARCH)).differences).to.deep.equal([]);
  });

  describe('of messages that were discarded', () => {
    const discarded = { atMs: DAY_MS, by: 'o@exchange.example', why: 'sent by a broken edge' };
    const decision = (id: string) =>
      `dead letter ${id} was discarded on ${new Date(DAY_MS).toISOString()} by o@exchange.example: sent by a broken edge`;

    async function discard(to: string, type: string, body: object): Promise<string> {
      const position = `${DAY_MS}-0`;
      const id = `0:${position}`;
      const payload = encodeEnvelope({ to, type, body });
      await store.park([
        { id, partition: 0, position, to, type, payload, reason: 'test', parkedAtMs: DAY_MS, replayedAtMs: null },
      ]);
      await store.markDiscarded(id, discarded);
      return id;
    }

    it('names an impression, and that somebody has accepted it', async () => {
      const id = await discard('tally/0', 'impression', {
        publisher: 'publisher-a',
        dsp: 'dsp-x',
        priceCpmMicros: 2_500,
      });
      const audit = await audited();
      expect(audit.differences).to.deep.equal([]);
      expect(audit.accepted).to.deep.equal([
        {
          check: 'nothing is discarded',
          where: '2026-03',
          expected: 'in the books',
          found: 'an impression, gross 2500',
          accepted: decision(id),
        },
      ]);
      const printed = printAudit(audit);
      expect(printed).to.contain(decision(id));
      expect(printed).to.match(/The books balance, but for 1 differences that were accepted: /);
    });

    it('accepts what a ledger lacks for it, and no more than that', async () => {
      // The other side has one nano-dollar more than this ledger: of three more, two are nobody's decision.
      const lack = (nanos: number) => (state: LedgerState) => {
        for (const page of Object.values(state.hours)) {
          for (const region of Object.values(page)) {
            const [row] = Object.values(region.counterparties);
            if (region.impressions === 0 || row === undefined || nanos === 0) continue;
            region.grossNanos -= nanos;
            row.grossNanos -= nanos;
            nanos = 0;
          }
        }
      };
      const before = (await audited(`ledger/${ofPublisher}`, lack(1))).differences;
      const sides = before.filter(({ check }) => ['publishers make the platform', 'sold is bought'].includes(check));
      expect(sides).to.have.length(2);
      const id = await discard(`ledger/${ofPublisher}`, 'totals', {
        regions: [{ region: 'fra', impressions: 1, grossNanos: 1, feeNanos: 0, counterparties: [], creatives: [] }],
      });
      const { differences, accepted } = await auditBooks(store, MARCH);
      expect(differences).to.deep.equal(before.filter((one) => !sides.includes(one)));
      expect(accepted.map(({ check }) => check)).to.deep.equal([
        'nothing is discarded',
        ...sides.map(({ check }) => check),
      ]);
      for (const one of accepted) expect(one.accepted).to.equal(decision(id));
      const spoilt = documentOf('ledger', ofPublisher, structuredClone(books().get(`ledger/${ofPublisher}`)!.state));
      lack(3)(spoilt.state as LedgerState);
      await store.save([{ ...spoilt, version: 2 }]);
      expect(checksOf(await auditBooks(store, MARCH))).to.include.members(sides.map(({ check }) => check));
    });
  });

  it('is done each night as a job, which says in the log what differs', async () => {
    const errors: object[] = [];
    const logger = { ...SILENT, error: (fields: object) => void errors.push(fields) };
    const documents = books();
    await store.save([...documents.values(), documentOf('watermark', BOOKS, { throughMs: MARCH.toMs + HOUR_MS / 2 })]);
    const run = { dueMs: MARCH.toMs + 2 * HOUR_MS, nowMs: MARCH.toMs, signal: new AbortController().signal };
    const balanced = '2026-03 up to 2026-04-01T00:00:00.000Z: balanced in 14 ledgers and 4 statements';
    expect(await auditJob({ store, logger }).run(run)).to.equal(balanced);
    const sooner = { ...run, dueMs: MARCH.toMs + 48 * HOUR_MS };
    expect(await auditJob({ store, logger }).run(sooner)).to.equal('2026-04: none of its books are complete yet');
    expect(errors).to.deep.equal([]);
    const spoilt = documents.get(`ledger/${ofPublisher}`)!;
    oneMoreIn(spoilt.state as LedgerState);
    await store.save([{ ...spoilt, version: 2 }]);
    expect(await auditJob({ store, logger }).run(run)).to.contain(': 7 differences in 14 ledgers');
    expect(errors).to.have.length(7);
    expect(errors[0]).to.have.all.keys('check', 'where', 'expected', 'found');
  });

  it('leaves alone what is later than the books are complete, hour by hour', async () => {
    const late = (state: LedgerState) => {
      const [hour] = Object.keys(state.hours).slice(-1);
      Object.values(state.hours[hour!]!)[0]!.grossNanos += 1;
    };
    expect((await audited(`ledger/${ofPublisher}`, late)).differences).not.to.deep.equal([]);
    const lastHourMs = DAY_MS + 10 * HOUR_MS;
    const audit = await auditBooks(store, { fromMs: MARCH.fromMs, toMs: lastHourMs });
    expect(audit.differences).to.deep.equal([]);
    expect(audit).to.include({ statements: 0, tallies: 0, ledgers: 14 });
  });

  it('is not misled by another month', async () => {
    const stretch = { fromMs: Date.parse('2026-02-01T00:00:00Z'), toMs: MARCH.fromMs };
    const audit = await audited(`ledger/${ofPublisher}`, (state: LedgerState) => oneMoreIn(state), stretch);
    expect(audit).to.deep.include({ differences: [], ledgers: 0, statements: 0 });
  });
});
