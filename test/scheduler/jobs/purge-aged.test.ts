import { expect } from 'chai';
import { auctionRecord } from '#actors/auction-record/auction-record';
import { newRecordId } from '#actors/auction-record/record-id';
import { auditEntry } from '#actors/audit-entry/audit-entry';
import { entryId } from '#actors/audit-entry/entry-id';
import { feedPage } from '#actors/feed-page/feed-page';
import { feedId, firstPageId, overflowPageId, PAGE_SPAN_MS } from '#actors/feed-page/feed-page-id';
import { ledger } from '#actors/ledger/ledger';
import { session } from '#actors/session/session';
import { actorKinds, replicatedKinds } from '#composition/actor-kinds';
import { AGED_KINDS } from '#scheduler/aged-kinds';
import { purgeAged } from '#scheduler/jobs/purge-aged';
import { type EmbeddedStoreAlone, openStoreAlone } from './embedded-store.ts';
import { runJob } from './run-job.ts';

const DAY_MS = 86_400_000;
const due = '2028-03-01T04:20:00Z';
const ago = (days: number, moreMs = 0) => Date.parse(due) - days * DAY_MS + moreMs;
const sessionState = (lastSeenAtMs: number) => ({ userId: 'u', epoch: 0, openedAtMs: 0, lastSeenAtMs });

describe('scheduler/jobs/purge-aged', () => {
  let alone: EmbeddedStoreAlone;
  beforeEach(async () => {
    alone = await openStoreAlone();
  });
  afterEach(() => alone.close());
  const foundById = [feedPage, auctionRecord, auditEntry].map(({ kind }) => kind);
  /** No query of kinds with very many documents: the store would take an index of all of them into memory. */
  const purge = (signal?: AbortSignal) => {
    const { store } = alone;
    const watched: Parameters<typeof purgeAged>[0]['store'] = {
      find: async (kind, query) => {
        expect(foundById).not.to.include(kind);
        return store.find(kind, query);
      },
      idsBetween: (kind, range) => store.idsBetween(kind, range),
      load: (keys, fields) => store.load(keys, fields),
      tombstones: (kind, before, limit) => store.tombstones(kind, before, limit),
      purge: (kind, found) => store.purge(kind, found),
    };
    return runJob(purgeAged({ store: watched, kinds: AGED_KINDS }), due, signal);
  };
  const putPage = (id: string) => alone.put(feedPage.kind, id, feedPage.initial(id));

  it('names only kinds without projections, whose documents may begin anew', () => {
    for (const { of, keepDays } of AGED_KINDS) {
      expect(of.projection, of.kind).to.equal(undefined);
      expect(replicatedKinds).not.to.include(of.kind);
      expect(actorKinds).to.include(of);
      expect(keepDays).to.be.at.least(1);
    }
  });

  it('deletes what is old enough, to the millisecond, and nothing else', async () => {
    const feeds = [feedId('a', false), feedId('a', true, 3), feedId('b', false), feedId('b~é', false)];
    for (const feed of feeds) {
      for (const startMs of [0, ago(9), ago(8, -1), ago(8), ago(7)]) await putPage(firstPageId(feed, startMs));
    }
    await alone.put(session.kind, 'old', sessionState(ago(7, -1)));
    await alone.put(session.kind, 'used', sessionState(ago(7)));
    expect(await purge()).to.equal('12 of feed-page, 1 of session');
    const young = feeds.flatMap((feed) => [ago(8), ago(7)].map((startMs) => firstPageId(feed, startMs)));
    expect(await alone.ids(feedPage.kind)).to.deep.equal(young.sort());
    expect(await alone.ids(session.kind)).to.deep.equal(['used']);
    expect(await purge(), 'again').to.equal('nothing was old enough');
  });

  it('deletes by ids that sort by time what is old enough', async () => {
    const records = [ago(4), ago(3, -1), ago(3), ago(1)].map((atMs) => newRecordId(atMs, new Uint8Array(16)));
    for (const id of records) await alone.put(auctionRecord.kind, id, auctionRecord.initial(id));
    // Entries are deleted with their whole day.
    const midnight = Date.UTC(2028, 2, 1) - 3_653 * DAY_MS;
    const entries = [midnight - 1, midnight].map((atMs) => entryId(`${atMs}-5`, 'publisher/a'));
    for (const id of entries) await alone.put(auditEntry.kind, id, auditEntry.initial(id));
    expect(await purge()).to.equal('1 of audit-entry, 2 of auction-record');
    expect(await alone.ids(auctionRecord.kind)).to.deep.equal(records.slice(2));
    expect(await alone.ids(auditEntry.kind)).to.deep.equal(entries.slice(1));
  });

  it('deletes any number, in batches, and stops between them when it is aborted', async () => {
    const feed = feedId('a', false);
    for (let page = 0; page < 1_250; page++) void putPage(overflowPageId(feed, PAGE_SPAN_MS * page, 0, 1));
    await putPage(firstPageId(feed, 0));
    const stopped = AbortSignal.abort(new Error('told to stop'));
    expect(await purge(stopped).catch((error: Error) => error.message)).to.equal('told to stop');
    expect(await alone.ids(feedPage.kind)).to.have.lengthOf(1_251);
    expect(await purge()).to.equal('1251 of feed-page');
  });

  it('deletes tombstones of sessions, and of no other kind', async () => {
    const gone = { deleted: true, position: `${ago(7, -1)}-5` };
    await alone.put(session.kind, 'gone', null, gone);
    await alone.put(session.kind, 'just gone', null, { ...gone, position: `${ago(7)}-0` });
    await alone.put('name', 'gone', null, gone);
    expect(await purge()).to.equal('1 of session');
    expect(await alone.ids(session.kind)).to.deep.equal(['just gone']);
    expect(await alone.ids('name')).to.deep.equal(['gone']);
  });

  it('deletes ledgers of the sandbox, and none that is live', async () => {
    for (const [day, sort] of [
      ['2027-11-21', 'sandbox'],
      ['2027-11-22', 'sandbox'],
      ['2020-01-01', 'live'],
    ]) {
      const id = sort === 'live' ? `publisher:p:${day}` : `publisher:p:${day}:sandbox`;
      await alone.put(ledger.kind, id, { ...ledger.initial(id) });
    }
    expect(await purge()).to.equal('1 of ledger');
    expect(await alone.ids(ledger.kind)).to.deep.equal(['publisher:p:2020-01-01', 'publisher:p:2027-11-22:sandbox']);
  });
});
