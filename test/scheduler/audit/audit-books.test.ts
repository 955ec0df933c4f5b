import { expect } from 'chai';
import { Registry } from 'prom-client';
import { budgetId } from '#actors/budget/budget-id';
import { impressionRollup } from '#actors/impression-rollup/impression-rollup';
import type { ImpressionRollupState } from '#actors/impression-rollup/state';
import { ledger } from '#actors/ledger/ledger';
import { ledgerId, PLATFORM_OWNER_ID } from '#actors/ledger/ledger-id';
import type { LedgerPage } from '#actors/ledger/page-schema';
import type { LedgerState } from '#actors/ledger/state';
import { LEDGER_WATERMARK_ID } from '#actors/watermark/watermark';
import { encodeEnvelope } from '#runtime/node/envelope';
import { SILENT } from '#runtime/node/logger';
import { auditBooks } from '#scheduler/audit/audit-books';
import { printAudit } from '#scheduler/audit/print-audit';
import { JobFigures } from '#scheduler/job-figures';
import { auditJob } from '#scheduler/jobs/audit';
import { auditing, checksOf } from './auditing.ts';
import {
  books,
  DAY,
  DAY_MS,
  documentOf,
  HOUR_MS,
  MARCH,
  ofAccount,
  ofCampaign,
  ofDsp,
  ofPlatform,
  ofPublisher,
  paid,
  sandboxed,
} from './books.ts';

describe('scheduler/audit', () => {
  const at = auditing();
  const { audited } = at;

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
      (state: ImpressionRollupState) => {
        state.day.impressions += 1;
      },
      ['ids taken in are billed or invalid', 'tallies are in the ledgers'],
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
    (state.minutes[newest] as LedgerPage).fra!.impressions += 1;
  };
  const upToTheDay = { ...MARCH, toMs: DAY_MS + 24 * HOUR_MS };

  it('finds a minute that says other than its hour, on the days of which minutes are read', async () => {
    const audit = await audited(`ledger/${ofPublisher}`, anotherMinute, upToTheDay);
    expect(checksOf(audit)).to.deep.equal(['minutes make the hours']);
  });

  it('leaves alone the minutes of earlier days, which are not read', async () => {
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
      await at.store.save([...documents.values()]);
      expect(checksOf(await auditBooks(at.store, MARCH))).to.deep.equal(checks);
    });
  }

  it('finds a ledger that is gone', async () => {
    const documents = books();
    documents.delete(`ledger/${ofDsp}`);
    await at.store.save([...documents.values()]);
    expect(checksOf(await auditBooks(at.store, MARCH))).to.include.members([
      'demand sources make the platform',
      'sold is bought',
    ]);
  });

  it('takes the ledgers of a sandbox that was reset for swept, not for lost, and finds an excess there all the same', async () => {
    const documents = books();
    Object.assign(documents.get('publisher/publisher-a')!.state as object, { sandboxGeneration: 1 });
    const [gone, other] = [documents.get(`ledger/${sandboxed}`)!, ledgerId('publisher', 'publisher-b', DAY_MS, true)];
    documents.delete(`ledger/${sandboxed}`);
    await at.store.save([...documents.values()]);
    expect((await auditBooks(at.store, MARCH)).differences).to.deep.equal([]);
    const spoilt = structuredClone(documents.get(`ledger/${other}`)!);
    oneMoreIn(spoilt.state as LedgerState);
    await at.store.save([gone, { ...spoilt, version: 2 }]);
    const checks = ['hours make the day', 'publishers make the platform', 'slots make the day', 'sold is bought'];
    expect(checksOf(await auditBooks(at.store, MARCH))).to.deep.equal(checks);
  });

  it('takes the sandbox of more than a hundred days ago for gone, and nothing that was traded live', async () => {
    const documents = books();
    for (const [address, { kind, id }] of documents)
      if (kind === 'ledger' && id.endsWith(':sandbox')) documents.delete(address);
    await at.store.save([
      ...documents.values(),
      documentOf('watermark', LEDGER_WATERMARK_ID, { throughMs: DAY_MS + 100 * 24 * HOUR_MS }),
    ]);
    expect(checksOf(await auditBooks(at.store, MARCH))).to.deep.equal([
      'invalid traffic of tallies is in the ledgers',
      'tallies are in the ledgers',
    ]);
    const later = {
      ...documentOf('watermark', LEDGER_WATERMARK_ID, { throughMs: DAY_MS + 101 * 24 * HOUR_MS }),
      version: 2,
    };
    await at.store.save([later]);
    expect((await auditBooks(at.store, MARCH)).differences).to.deep.equal([]);
    const platform = documents.get(`ledger/${ofPlatform}`)!;
    const more = structuredClone(platform);
    for (const page of Object.values((more.state as LedgerState).hours)) page.fra!.grossNanos += 10_000_000_000;
    await at.store.save([{ ...more, version: 2 }]);
    expect(checksOf(await auditBooks(at.store, MARCH))).to.include('tallies are in the ledgers');
  });

  it('leaves alone a statement whose ledgers are archived, and not one that lacks a ledger among others', async () => {
    const documents = books();
    const april = ledgerId('platform', PLATFORM_OWNER_ID, MARCH.toMs, false);
    const archived = [...documents.values()].filter(({ kind }) => kind !== 'ledger' && kind !== 'tally');
    await at.store.save([...archived, documentOf('ledger', april, ledger.initial(april))]);
    expect(await auditBooks(at.store, MARCH)).to.deep.include({ statements: 0, differences: [] });
    const begun = ledgerId('platform', PLATFORM_OWNER_ID, MARCH.fromMs, false);
    await at.store.save([documentOf('ledger', begun, ledger.initial(begun))]);
    expect(checksOf(await auditBooks(at.store, MARCH))).to.deep.equal([
      'settled is billed',
      'statements are what their ledgers come to',
    ]);
  });

  it('takes a day of which only the ledgers of campaigns have stayed for archived', async () => {
    const documents = books();
    const april = ledgerId('platform', PLATFORM_OWNER_ID, MARCH.toMs, false);
    const stayed = [...documents.values()].filter(
      ({ kind, id }) => kind !== 'tally' && (kind !== 'ledger' || id === ofCampaign),
    );
    const older = ledgerId('campaign', 'campaign-1', MARCH.fromMs - 1, false);
    const more = [april, older].map((id) => documentOf('ledger', id, ledger.initial(id)));
    await at.store.save([...stayed, ...more]);
    expect(await auditBooks(at.store, MARCH)).to.deep.include({ ledgers: 1, statements: 0, differences: [] });
  });

  it('takes a day of which only the sandbox’s ledgers have stayed for archived, also while an older day waits', async () => {
    const documents = books();
    const stayed = [...documents.values()].filter(({ kind, id }) => kind === 'ledger' && id.endsWith(':sandbox'));
    const waiting = '0:2000-01-01';
    await at.store.save([...stayed, documentOf('tally', waiting, impressionRollup.initial(waiting))]);
    const { ledgers, differences } = await auditBooks(at.store, MARCH);
    expect({ ledgers, differences: differences.filter(({ check }) => /tallies|ids/.test(check)) }).to.deep.equal({
      ledgers: stayed.length,
      differences: [],
    });
  });

  it('finds money that is parked, until it is replayed', async () => {
    const position = `${DAY_MS}-0`;
    const body = { publisher: 'publisher-a', dsp: 'dsp-x' };
    const letter = { id: `0:${position}`, partition: 0, position, to: 'tally/0', type: 'impression', reason: 'test' };
    const payload = encodeEnvelope({ to: 'tally/0', type: 'impression', body });
    await at.store.park([{ ...letter, payload, parkedAtMs: DAY_MS, replayedAtMs: null }]);
    expect(checksOf(await audited())).to.deep.equal(['nothing is parked']);
    await at.store.markReplayed(letter.id, DAY_MS);
    expect((await auditBooks(at.store, MARCH)).differences).to.deep.equal([]);
  });

  it('is done each night as a job, which says in the log what differs', async () => {
    const errors: object[] = [];
    const logger = { ...SILENT, error: (fields: object) => void errors.push(fields) };
    const documents = books();
    await at.store.save([
      ...documents.values(),
      documentOf('watermark', LEDGER_WATERMARK_ID, { throughMs: MARCH.toMs + HOUR_MS / 2 }),
    ]);
    const run = { dueMs: MARCH.toMs + 2 * HOUR_MS, nowMs: MARCH.toMs, signal: new AbortController().signal };
    const balanced = '2026-03 up to 2026-04-01T00:00:00.000Z: balanced in 14 ledgers and 4 statements';
    expect(await auditJob({ store: at.store, logger }).run(run)).to.equal(balanced);
    const sooner = { ...run, dueMs: MARCH.toMs + 48 * HOUR_MS };
    expect(await auditJob({ store: at.store, logger }).run(sooner)).to.equal(
      '2026-04: none of its books are complete yet',
    );
    expect(errors).to.deep.equal([]);
    const spoilt = documents.get(`ledger/${ofPublisher}`)!;
    oneMoreIn(spoilt.state as LedgerState);
    await at.store.save([{ ...spoilt, version: 2 }]);
    const registry = new Registry();
    const figures = new JobFigures(registry);
    const audit = auditJob({ store: at.store, logger, figures });
    let noted: Readonly<Record<string, number>> = {};
    const found = (counted: typeof noted) => {
      noted = counted;
    };
    expect(await audit.run({ ...run, found })).to.contain(': 7 differences in 14 ledgers');
    expect(await registry.metrics()).to.contain('audit_differences{of="books"} 7\naudit_differences{of="trail"} 0\n');
    figures.forget();
    expect(await registry.metrics()).to.not.contain('audit_differences{');
    audit.recall!(noted);
    expect(await registry.metrics(), 'of the next leader').to.contain('audit_differences{of="books"} 7\n');
    expect(errors).to.have.length(7);
    expect(errors[0]).to.have.all.keys('check', 'where', 'expected', 'found');
  });

  it('names each night what came too late of a region to be billed', async () => {
    const errors: object[] = [];
    const logger = { ...SILENT, error: (fields: object) => void errors.push(fields) };
    await at.store.save([
      ...books().values(),
      documentOf('watermark', LEDGER_WATERMARK_ID, { throughMs: MARCH.toMs + HOUR_MS / 2 }),
    ]);
    const region = (name: string, impressions: number) => ({
      ...{ name, drained_through: null, written_off: null },
      too_late: { impressions, gross_nanos: impressions * 1_000 },
    });
    const regions = async () => [region('lon#a', 0), region('nyc#a', 3)];
    const run = { dueMs: MARCH.toMs + 2 * HOUR_MS, nowMs: MARCH.toMs, signal: new AbortController().signal };
    expect(await auditJob({ store: at.store, logger, regions }).run(run)).to.match(
      /: balanced in .*; too late of nyc#a: 3 impressions, 3000 nano-dollars$/,
    );
    expect(errors).to.deep.equal([{ region: 'nyc#a', impressions: 3, gross_nanos: 3_000 }]);
  });

  it('leaves alone what is later than the watermark, hour by hour', async () => {
    const late = (state: LedgerState) => {
      const [hour] = Object.keys(state.hours).slice(-1);
      Object.values(state.hours[hour!]!)[0]!.grossNanos += 1;
    };
    expect((await audited(`ledger/${ofPublisher}`, late)).differences).not.to.deep.equal([]);
    const lastHourMs = DAY_MS + 10 * HOUR_MS;
    const audit = await auditBooks(at.store, { fromMs: MARCH.fromMs, toMs: lastHourMs });
    expect(audit.differences).to.deep.equal([]);
    expect(audit).to.include({ statements: 0, tallies: 0, ledgers: 14 });
  });

  it('is not misled by another month', async () => {
    const stretch = { fromMs: Date.parse('2026-02-01T00:00:00Z'), toMs: MARCH.fromMs };
    const audit = await audited(`ledger/${ofPublisher}`, (state: LedgerState) => oneMoreIn(state), stretch);
    expect(audit).to.deep.include({ differences: [], ledgers: 0, statements: 0 });
  });
});
