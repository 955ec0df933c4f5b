import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { adjustment } from '#actors/adjustment/adjustment';
import { auctionRecord } from '#actors/auction-record/auction-record';
import type { RecordedBid, RecordedParticipation } from '#actors/auction-record/record';
import { newRecordId } from '#actors/auction-record/record-id';
import { emptyAuctionRecord } from '#actors/auction-record/state';
import { feedPage } from '#actors/feed-page/feed-page';
import type { Impression } from '#actors/impression-rollup/messages';
import { feeNanos } from '#exchange/money/fee';
import type { Destination } from '#gateways/log-level-data/destination/destination';
import { createFolderDestination } from '#gateways/log-level-data/destination/folder-destination';
import { HOUR_MS, hourOf } from '#gateways/log-level-data/hour';
import { writeHour } from '#gateways/log-level-data/write-hour';
import { makeAuctionRecord } from '#test/support/auction-record';
import { type EmbeddedStoreAlone, openStoreAlone } from '../../scheduler/jobs/embedded-store.ts';
import { Market } from './market.ts';
import { filesBelow, hashesBelow, jsonOf, rowsOf, sha256Of } from './written-files.ts';

const START_MS = Date.UTC(2026, 2, 14, 12);
const HOUR = hourOf(START_MS);
const PUBLISHERS = ['pub-a', 'pub-b', 'pub:c/1'];
const DSPS = ['dsp-x', 'dsp-y', 'dsp:z/1'];
const never = new AbortController().signal;

const impressions = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.nat(3), fc.nat(400_000)),
    publisher: fc.constantFrom(...PUBLISHERS),
    dsp: fc.constantFrom(...DSPS),
    crid: fc.constantFrom('c', "it's; a, %"),
    priceCpmMicros: fc.oneof(fc.constantFrom(0, 1, 10_000_000_000), fc.nat(50_000_000)),
    feePpm: fc.constantFrom(0, 1, 150_000, 333_333, 1_000_000),
    region: fc.constantFrom('fra', 'nyc'),
    campaign: fc.option(fc.constant('campaign-1'), { nil: undefined }),
    sandbox: fc.constantFrom(false, false, false, true),
    invalidBefore: fc.constantFrom(false, false, false, true),
  }),
  { maxLength: 60 },
);

describe('an hour of log-level data', () => {
  let alone: EmbeddedStoreAlone;
  let root: string;
  let destination: Destination;
  beforeEach(async () => {
    alone = await openStoreAlone();
    root = join(alone.folder, 'log-level');
    destination = createFolderDestination(root);
  });
  afterEach(() => alone.close());

  const write = (into: Destination = destination, evenIncomplete = false) =>
    writeHour({ store: alone.store, destination: into, hour: HOUR, evenIncomplete, signal: never });
  const sum = (rows: readonly Record<string, number>[], name: string) =>
    rows.reduce((all, row) => all + BigInt(row[name]!), 0n);

  const one = (id: string, fields: Partial<Impression> = {}): Impression => ({
    ...{ id, auction: `auction-${id}`, publisher: 'pub-a', dsp: 'dsp-x', account: 'account-1', region: 'fra' },
    ...{ priceCpmMicros: 2_500_001, feePpm: 150_000, soldAtMs: START_MS, crid: 'creative-1', campaign: 'campaign-1' },
    ...fields,
  });

  it('holds each billed impression once on either side, and the sums are those of the ledgers', async () => {
    await fc.assert(
      fc.asyncProperty(impressions, fc.constantFrom('open', 'filed', 'deleted'), async (sales, hours) => {
        await alone.close();
        alone = await openStoreAlone();
        root = join(alone.folder, 'log-level');
        destination = createFolderDestination(root);
        const market = new Market();
        const billed: Impression[] = [];
        // From before the hour until after it.
        let atMs = START_MS - 300_000;
        for (const [number, { waitMs, invalidBefore, sandbox, campaign, ...sale }] of sales.entries()) {
          atMs += waitMs;
          const impression: Impression = {
            ...{ id: `t${number}`, auction: `auction "${number}"`, account: 'account-1', soldAtMs: atMs - 1_000 },
            ...sale,
            ...(campaign === undefined ? {} : { campaign }),
            ...(sandbox ? { sandbox: true } : {}),
          };
          if (invalidBefore) market.invalid({ ...impression, reason: 'data-centre' }, atMs);
          market.bill(invalidBefore ? { ...impression, revalidates: 'data-centre' } : impression, atMs);
          if (!sandbox && atMs >= HOUR.startMs && atMs < HOUR.endMs) billed.push(impression);
        }
        if (hours !== 'open') market.fileHours(HOUR.endMs, { purge: hours === 'deleted' });
        await market.save(alone, HOUR.endMs);

        const { written, manifest } = await write();
        expect(written && manifest.complete).to.equal(true);
        expect(manifest.logged.impressions).to.equal(billed.length);
        for (const [side, ids] of [['publisher', PUBLISHERS] as const, ['dsp', DSPS] as const]) {
          for (const id of ids) {
            const own = billed.filter((impression) => impression[side] === id);
            const rows = await rowsOf(root, 'impressions', `${side}=${encodeURIComponent(id)}/`);
            expect(rows.map((row) => row.tracking_id).sort()).to.deep.equal(own.map((each) => each.id).sort());
            const gross = own.reduce((all, { priceCpmMicros }) => all + BigInt(priceCpmMicros), 0n);
            expect(sum(rows, 'price_nanos')).to.equal(gross);
            const name = `log-level/v1/manifests/dt=2026-03-14/hour=12/${side}=${encodeURIComponent(id)}.json`;
            if (own.length > 0) expect((await jsonOf(root, name)).ledger.price_nanos).to.equal(String(gross));
            if (side === 'dsp') continue;
            const fee = own.reduce(
              (all, { priceCpmMicros, feePpm }) => all + BigInt(feeNanos(priceCpmMicros, feePpm)),
              0n,
            );
            expect(sum(rows, 'fee_nanos')).to.equal(fee);
            expect(sum(rows, 'payout_nanos')).to.equal(gross - fee);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('shows each side what it may see', async () => {
    const market = new Market();
    market.win(
      'dsp-x',
      {
        ...{ trackingId: 't1', auctionId: 'auction-t1', impId: '1', publisherId: 'pub-a', campaignId: 'campaign-1' },
        ...{ crid: 'creative-1', priceCpmMicros: 2_500_001, region: 'fra', soldAtMs: START_MS },
      },
      { poolId: 'pool-1', dealId: 'deal-1', format: 'banner', width: 300, height: 250, country: 'DEU' },
      START_MS + 500,
    );
    const seen = { trackingId: 't1', publisherId: 'pub-a', campaignId: 'campaign-1', crid: 'creative-1' };
    const at = { region: 'fra', soldAtMs: START_MS };
    market.view('dsp-x', { ...seen, ...at, measure: 'viewable' }, START_MS + 3_000);
    market.view('dsp-x', { ...seen, ...at, measure: 'measurable' }, HOUR.endMs);
    market.invalid({ ...one('t1'), reason: 'data-centre' }, START_MS + 900);
    market.bill({ ...one('t1'), revalidates: 'data-centre' }, START_MS + 1_000);
    await market.save(alone, HOUR.endMs);
    await alone.put(adjustment.kind, 'pub-a:dsp-x:2026-02', {
      ...{ publisherId: 'pub-a', dspId: 'dsp-x', period: '2026-02' },
      booked: [
        {
          ...{ id: 'pub-a:dsp-x:2026-02:1', month: '2026-03', campaignId: 'campaign-1', impressions: 2 },
          ...{ grossNanos: '9007199254740993', feeNanos: '1000', reason: 'data-centre', note: 'n', by: 'b' },
          bookedAtMs: START_MS + 5_000,
        },
      ],
    });
    await write();
    const common = {
      ...{ tracking_id: 't1', auction_id: 'auction-t1', billed_at: '2026-03-14T12:00:01.000Z' },
      ...{ sold_at: '2026-03-14T12:00:00.000Z', region: 'fra', revalidated: 'data-centre' },
      ...{ publisher_id: 'pub-a', dsp_id: 'dsp-x', price_cpm: 2.500001, price_nanos: 2_500_001, currency: 'USD' },
      creative_id: 'creative-1',
    };
    expect(await rowsOf(root, 'impressions', 'publisher=')).to.deep.equal([
      { ...common, fee_nanos: 375_000, payout_nanos: 2_125_001 },
    ]);
    const ofDsp = { campaign_id: 'campaign-1' };
    expect(await rowsOf(root, 'impressions', 'dsp=')).to.deep.equal([{ ...common, ...ofDsp }]);
    const won = {
      ...{ tracking_id: 't1', auction_id: 'auction-t1', imp_id: '1', won_at: '2026-03-14T12:00:00.500Z' },
      ...{ sold_at: '2026-03-14T12:00:00.000Z', region: 'fra', deal_id: 'deal-1', format: 'banner' },
      ...{ width: 300, height: 250, country: 'DEU', publisher_id: 'pub-a', dsp_id: 'dsp-x' },
      ...{ price_cpm: 2.500001, price_nanos: 2_500_001, currency: 'USD', creative_id: 'creative-1' },
    };
    expect(await rowsOf(root, 'wins', 'publisher=')).to.deep.equal([{ ...won, pool_id: 'pool-1' }]);
    expect(await rowsOf(root, 'wins', 'dsp=')).to.deep.equal([{ ...won, ...ofDsp }]);
    const view = {
      ...{ tracking_id: 't1', measure: 'viewable', seen_at: '2026-03-14T12:00:03.000Z' },
      ...{ sold_at: '2026-03-14T12:00:00.000Z', region: 'fra', publisher_id: 'pub-a', dsp_id: 'dsp-x' },
      creative_id: 'creative-1',
    };
    expect(await rowsOf(root, 'views', 'publisher=')).to.deep.equal([view]);
    expect(await rowsOf(root, 'views', 'dsp=')).to.deep.equal([{ ...view, ...ofDsp }]);
    const [invalid] = await rowsOf(root, 'invalid_traffic', 'publisher=');
    expect(invalid).to.deep.equal({
      ...{ hour: '2026-03-14T12:00:00.000Z', publisher_id: 'pub-a', region: 'fra' },
      ...{ measure: 'invalid', reason: 'data-centre', value: 1 },
    });
    expect((await rowsOf(root, 'invalid_traffic', 'dsp=')).map(({ measure, value }) => [measure, value])).to.deep.equal(
      [
        ['invalid', 1],
        ['invalid_nanos', 2_500_001],
        ['revalidated', 1],
        ['revalidated_nanos', 2_500_001],
      ],
    );
    const taken = 'log-level/v1/adjustments/dt=2026-03-14/hour=12';
    const adjusted = (await filesBelow(root)).filter((name) => name.startsWith(taken));
    expect(adjusted.map((name) => name.slice(taken.length))).to.deep.equal([
      '/dsp=dsp-x/part-00000.ndjson.gz',
      '/publisher=pub-a/part-00000.ndjson.gz',
    ]);
    const [ofPublisher] = await rowsOf(root, 'adjustments', 'publisher=');
    expect(ofPublisher).to.include({ impressions: -2, fee_nanos: -1_000, month: '2026-03', period: '2026-02' });
    expect(ofPublisher).not.to.have.any.keys('campaign_id', 'note', 'by');
    expect((await rowsOf(root, 'adjustments', 'dsp='))[0]).not.to.have.any.keys('fee_nanos', 'payout_nanos', 'note');
  });

  it('shows each side its part of recorded auctions, with the weight of the sample', async () => {
    await new Market().save(alone, HOUR.endMs);
    const bid = (priceCpmMicros: number, reason: RecordedBid['reason']): RecordedBid => ({
      ...{ impId: '1', bidId: 'b', priceCpmMicros, floorCpmMicros: 500_000, reason, winningCpmMicros: 2_000_000 },
      ...{ minToWinCpmMicros: 1_500_000, crid: 'creative', adomain: [], dealId: null, seat: 's' },
      ...{ campaignActorId: null, campaignId: null, ruleId: null },
    });
    const part = (dspId: string, outcome: 'won' | 'lost', bids: RecordedBid[]): RecordedParticipation => ({
      ...{ dspId, accountId: 'a', mode: 'rtb', generation: 0, called: true, outcome, reason: null, latencyMs: 7 },
      ...{ bids, keptBack: [] },
    });
    const record = makeAuctionRecord({
      ...{ atMs: START_MS + 5, represents: 40, outcome: 'filled', reason: null, partsLeftOut: 3 },
      parts: [part('dsp-x', 'won', [bid(2_000_000, null)]), part('dsp-y', 'lost', [bid(1_500_000, 'below-floor')])],
      sold: [{ impId: '1', dspId: 'dsp-x', trackingId: 't1', clearingCpmMicros: 2_000_000, format: 'banner' }],
    });
    for (const [atMs, fields] of [
      [START_MS + 5, { sandbox: false }],
      [START_MS + 6, { sandbox: true }],
      [START_MS + 7, { sandbox: false, test: true }],
      [HOUR.endMs, { sandbox: false }],
    ] as const) {
      const id = newRecordId(atMs, new Uint8Array(16));
      const { sandbox } = fields;
      const state = { ...emptyAuctionRecord, key: id, sandbox, record: JSON.stringify({ ...record, ...fields }) };
      await alone.put(auctionRecord.kind, id, state);
    }
    await write();
    const [ofPublisher, ...more] = await rowsOf(root, 'auctions', 'publisher=');
    expect(more).to.deep.equal([]);
    expect(ofPublisher).to.deep.include({
      ...{ auction_id: 'request-1', auctioned_at: '2026-03-14T12:00:00.005Z', sample_weight: 40, outcome: 'filled' },
      ...{ demand_sources: 5, demand_called: 2, demand_bidding: 2, demand_timed_out: 0, highest_bid_cpm: 2 },
      sold: [{ imp_id: '1', tracking_id: 't1', dsp_id: 'dsp-x', format: 'banner', price_nanos: 2_000_000 }],
    });
    expect(JSON.stringify(ofPublisher)).not.to.contain('dsp-y');
    expect(await rowsOf(root, 'auctions', 'dsp=dsp-x/')).to.have.lengthOf(1);
    const [lost, ...others] = await rowsOf(root, 'auctions', 'dsp=dsp-y/');
    expect(others).to.deep.equal([]);
    expect(lost).to.include({ dsp_id: 'dsp-y', called: true, outcome: 'lost', latency_ms: 7, sample_weight: 40 });
    expect(lost.bids[0]).to.include({
      loss_reason: 'below-floor',
      price_cpm: 1.5,
      clearing_cpm: 2,
      min_to_win_cpm: 1.5,
    });
    expect(JSON.stringify(lost)).not.to.contain('dsp-x');
  });

  it('names every file with its bytes, rows and hash, and is the same to the byte when it is written again', async () => {
    const market = new Market();
    for (let number = 0; number < 500; number += 1)
      market.bill(one(`t${number}`, { publisher: PUBLISHERS[number % 3]! }), START_MS + number * 7_000);
    await market.save(alone, HOUR.endMs);
    await write();
    const before = await hashesBelow(root);
    const { files } = await jsonOf(root, 'log-level/v1/manifests/dt=2026-03-14/hour=12/dsp=dsp-x.json');
    expect(files).to.have.lengthOf(1);
    for (const { path, bytes, sha256, rows } of files) {
      const content = await readFile(join(root, path));
      expect([content.length, sha256Of(content), rows]).to.deep.equal([bytes, sha256, 500]);
    }
    expect((await write()).written).to.equal(true);
    expect(await hashesBelow(root)).to.deep.equal(before);
  });

  it('has no manifest until all files are there, wherever the process dies, and ends as if it had not', async () => {
    const market = new Market();
    for (let number = 0; number < 60; number += 1)
      market.bill(one(`t${number}`, { publisher: PUBLISHERS[number % 3]! }), START_MS + number * 7_000);
    await market.save(alone, HOUR.endMs);
    await write();
    const whole = await hashesBelow(root);
    let deaths = 0;
    for (let stored = 0; ; stored += 1) {
      await rm(root, { recursive: true });
      const dying = dyingAfter(destination, stored);
      const died = await write(dying).then(
        () => false,
        () => true,
      );
      if (!died) break;
      deaths += 1;
      const names = await filesBelow(root);
      expect(names.some((name) => name.includes('/hours/'))).to.equal(false);
      for (const name of names.filter((each) => each.includes('/manifests/'))) {
        for (const { path } of (await jsonOf(root, name)).files) expect(names).to.include(path);
      }
      await write();
      expect(await hashesBelow(root), `after ${stored} files`).to.deep.equal(whole);
    }
    expect(deaths).to.be.above(6);
  });

  it('is held while its rows and the ledgers differ, and says so when it is written all the same', async () => {
    const market = new Market();
    for (let number = 0; number < 40; number += 1) market.bill(one(`t${number}`), START_MS + number * 20_000);
    // A page that could not be stored: its impressions are billed and not logged.
    const [lost] = market.pages.keys();
    market.pages.delete(lost!);
    await market.save(alone, HOUR.endMs);
    const { written, manifest, differing } = await write();
    expect([written, manifest.complete]).to.deep.equal([false, false]);
    expect(differing.map(({ side, id }) => `${side} ${id}`)).to.deep.equal(['publisher pub-a', 'dsp dsp-x']);
    expect(await filesBelow(root), 'nothing is left behind').to.deep.equal([]);
    await write(destination, true);
    const said = await jsonOf(root, 'log-level/v1/hours/dt=2026-03-14/hour=12.json');
    expect(said.complete).to.equal(false);
    expect(said.logged.impressions).to.be.below(40);
    expect(said.ledger).to.include({ impressions: 40, price_nanos: String(40 * 2_500_001) });
    const ofPublisher = await jsonOf(root, 'log-level/v1/manifests/dt=2026-03-14/hour=12/publisher=pub-a.json');
    expect(ofPublisher.complete).to.equal(false);
  });

  it('tells what it lacks of rows without a fee, and what is parked', async () => {
    const market = new Market();
    market.bill(one('t1'), START_MS + 1_000);
    await market.save(alone, HOUR.endMs);
    for (const [id, state] of market.pages) {
      const shown = state.shown.map((row) => row.split(',').slice(0, 9).join(','));
      await alone.put(feedPage.kind, id, { ...state, shown }, { version: 2 });
    }
    await alone.store.park([
      parked('1:9', 'tally/0', 'impression', `${START_MS + 5}-0`, {}),
      parked('1:8', 'tally/0', 'impression', `${START_MS - 5}-0`, {}),
      parked('1:7', 'ledger/dsp:dsp-x:2026-03-14', 'totals', '9-0', { minuteMs: START_MS + 60_000 }),
      parked('1:5', 'ledger/dsp:dsp-x:2026-03-14T12', 'totals', '9-0', { minuteMs: START_MS + 60_000 }),
      parked('1:6', `feed-page/dsp-x:live:${START_MS + HOUR_MS}:i0`, 'shown', '9-0', {}),
    ]);
    const { manifest } = await write();
    expect(manifest.complete).to.equal(false);
    expect(manifest.logged).to.include({ price_nanos: '2500001', fee_nanos: '0' });
    expect(manifest.parked.map(({ dead_letter_id: id, what, state }) => [id, what, state])).to.have.deep.members([
      ['1:9', 'impression', 'waiting'],
      ['1:7', 'ledger totals', 'waiting'],
      ['1:5', 'ledger totals', 'waiting'],
    ]);
  });
});

function dyingAfter(destination: Destination, most: number): Destination {
  let stored = 0;
  const counted = async (store: () => Promise<void>) => {
    if (stored >= most) throw new Error('the process died');
    stored += 1;
    await store();
  };
  return {
    ...destination,
    put: (name, file) => counted(() => destination.put(name, file)),
    putText: (name, text) => counted(() => destination.putText(name, text)),
  };
}

function parked(id: string, to: string, type: string, position: string, body: object) {
  const payload = JSON.stringify([to, type, body]);
  return {
    ...{ id, partition: 1, position, to, type, payload, reason: 'r', parkedAtMs: START_MS, replayedAtMs: null },
  };
}
