import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { campaign } from '#actors/campaign/campaign';
import { facts } from '#actors/facts/facts';
import { impressionRollup } from '#actors/impression-rollup/impression-rollup';
import { ledger } from '#actors/ledger/ledger';
import { statement } from '#actors/statement/statement';
import { type ArchiveLedgersDeps, archiveLedgers } from '#scheduler/jobs/archive-ledgers';
import { type EmbeddedStoreAlone, openStoreAlone } from './embedded-store.ts';
import { runJob } from './run-job.ts';

const due = '2028-03-01T03:30:00Z';
const keepDays = 62;
/** The last day that is old enough, and the first that is not. */
const LAST = '2027-12-29';
const FIRST_KEPT = '2027-12-30';

describe('scheduler/jobs/archive-ledgers', () => {
  let alone: EmbeddedStoreAlone;
  let archive: string;
  beforeEach(async () => {
    alone = await openStoreAlone();
    archive = join(alone.folder, 'archive');
  });
  afterEach(() => alone.close());

  type Store = ArchiveLedgersDeps['store'];
  const run = (store: Store = alone.store, signal?: AbortSignal) => {
    const parts = { store, folder: archive, partitions: 4, keepDays };
    return runJob(archiveLedgers(parts), due, signal);
  };
  const withChanged = (change: Partial<Store>): Store => ({
    load: (keys, fields) => alone.store.load(keys, fields),
    find: (kind, query) => alone.store.find(kind, query),
    idsBetween: (kind, range) => alone.store.idsBetween(kind, range),
    purge: (kind, found) => alone.store.purge(kind, found),
    ...change,
  });
  const withLoad = (load: Store['load']): Store => withChanged({ load });
  const putLedger = (id: string) =>
    alone.put(ledger.kind, id, { ...ledger.initial(id), slots: { 5: { impressions: 1, grossNanos: 7 } } });
  const putCounts = (id: string) => alone.put(facts.kind, id, facts.initial(id));
  const putRollup = (id: string) => alone.put(impressionRollup.kind, id, impressionRollup.initial(id));
  const freeze = (id: string) => alone.put(statement.kind, id, { frozen: { month: id.slice(-7) } });
  const read = async (file: string) => {
    const text = gunzipSync(await readFile(join(archive, file))).toString();
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };

  it('writes a file for each day that is old enough, with rollups, and deletes what is in it', async () => {
    const days = ['2027-11-30', LAST, FIRST_KEPT];
    for (const day of days) {
      for (const id of [`publisher:p:${day}`, `dsp:d%3A1:${day}`, `platform:exchange:${day}`, `account:a:${day}`])
        await putLedger(id);
      await putRollup(`3:${day}`);
    }
    for (const month of ['2027-11', '2027-12']) {
      await freeze(`publisher:p:${month}`);
      await freeze(`dsp:d%3A1:${month}`);
    }
    expect(await run()).to.equal(`before ${FIRST_KEPT}: 10 documents in 2027-11-30.ndjson.gz, ${LAST}.ndjson.gz`);
    expect((await readdir(archive)).sort()).to.deep.equal(['2027-11-30.ndjson.gz', `${LAST}.ndjson.gz`]);
    const archived = await read(`${LAST}.ndjson.gz`);
    expect(archived.map(({ kind, id }) => `${kind}/${id}`).sort()).to.deep.equal([
      `ledger/account:a:${LAST}`,
      `ledger/dsp:d%3A1:${LAST}`,
      `ledger/platform:exchange:${LAST}`,
      `ledger/publisher:p:${LAST}`,
      `tally/3:${LAST}`,
    ]);
    const id = `publisher:p:${LAST}`;
    expect(archived.find((one) => one.id === id)).to.deep.include({
      version: 1,
      schema: 1,
      state: { ...ledger.initial(id), slots: { 5: { impressions: 1, grossNanos: 7 } } },
    });
    expect(await alone.ids(ledger.kind)).to.have.lengthOf(4);
    expect(await alone.ids(impressionRollup.kind)).to.deep.equal([`3:${FIRST_KEPT}`]);
    expect(await run(), 'again').to.equal(`before ${FIRST_KEPT}: nothing archived`);
  });

  it('leaves a day alone while a statement of its month is open', async () => {
    await putLedger(`publisher:p:${LAST}`);
    await putLedger('publisher:p:2027-11-02');
    await alone.put(statement.kind, 'publisher:p:2027-12', { frozen: null });
    await freeze('publisher:p:2027-11');
    expect(await run()).to.equal(
      `before ${FIRST_KEPT}: 1 documents in 2027-11-02.ndjson.gz; waiting for 1 statements of 2027-12`,
    );
    expect(await alone.ids(ledger.kind)).to.deep.equal([`publisher:p:${LAST}`]);
  });

  it('keeps a campaign’s ledgers while it may bid, and no longer', async () => {
    for (const id of ['running', 'over']) {
      await putLedger(`campaign:${id}:${LAST}`);
      await alone.put(campaign.kind, id, { status: id === 'over' ? 'retired' : 'paused' });
    }
    expect(await run()).to.equal(`before ${FIRST_KEPT}: 1 documents in ${LAST}.ndjson.gz`);
    expect(await alone.ids(ledger.kind)).to.deep.equal([`campaign:running:${LAST}`]);
  });

  it('archives the rollups and counts of days without ledgers', async () => {
    await putRollup('0:2027-11-02');
    await putRollup(`3:${LAST}`);
    await putCounts('publisher:p:2027-12-01');
    for (const id of [`0:${FIRST_KEPT}`, '2:2028-02-28']) await putRollup(id);
    await putCounts(`publisher:p:${FIRST_KEPT}`);
    expect(await run()).to.equal(
      `before ${FIRST_KEPT}: 3 documents in 2027-11-02.ndjson.gz, 2027-12-01.ndjson.gz, ${LAST}.ndjson.gz`,
    );
    expect((await read(`${LAST}.ndjson.gz`)).map(({ kind, id }) => `${kind}/${id}`)).to.deep.equal([`tally/3:${LAST}`]);
    expect(await alone.ids(impressionRollup.kind)).to.deep.equal([`0:${FIRST_KEPT}`, '2:2028-02-28']);
    expect(await alone.ids(facts.kind)).to.deep.equal([`publisher:p:${FIRST_KEPT}`]);
    expect(await run(), 'again').to.equal(`before ${FIRST_KEPT}: nothing archived`);
  });

  for (const failing of [facts.kind, impressionRollup.kind, ledger.kind]) {
    it(`returns to a day after it failed to delete what is ${failing}, and never leaves a rollup without its ledgers`, async () => {
      await putLedger(`platform:exchange:${LAST}`);
      await putCounts(`platform:exchange:${LAST}`);
      await putRollup(`0:${LAST}`);
      const away = withChanged({
        async purge(kind, found) {
          if (kind === failing) throw new Error('the store is away');
          return alone.store.purge(kind, found);
        },
      });
      expect(await run(away).catch(({ message }) => message)).to.equal('the store is away');
      expect(await alone.ids(ledger.kind)).to.deep.equal([`platform:exchange:${LAST}`]);
      await run();
      for (const kind of [ledger.kind, facts.kind, impressionRollup.kind])
        expect(await alone.ids(kind), kind).to.deep.equal([]);
    });
  }

  it('leaves what has changed since it was read, and writes it to another file', async () => {
    const id = `platform:exchange:${LAST}`;
    await putLedger(id);
    const changing = withLoad(async (keys) => {
      const documents = await alone.store.load(keys);
      // Once, behind the archive's back.
      if (documents.some((document) => document?.id === id))
        await alone.put(ledger.kind, id, { ...ledger.initial(id) }, { version: 2 });
      return documents;
    });
    await run(changing);
    expect(await alone.ids(ledger.kind)).to.deep.equal([id]);
    await run();
    expect(await alone.ids(ledger.kind)).to.deep.equal([]);
    expect((await read(`${LAST}.ndjson.gz`))[0].version).to.equal(1);
    expect((await read(`${LAST}.2.ndjson.gz`))[0].version).to.equal(2);
  });

  it('leaves no file and deletes nothing when it is cut short', async () => {
    const id = `platform:exchange:${LAST}`;
    await putLedger(id);
    const stopping = new AbortController();
    const stopped = withLoad((keys) => {
      stopping.abort(new Error('told to stop'));
      return alone.store.load(keys);
    });
    expect(await run(stopped, stopping.signal).catch(() => 'cut short')).to.equal('cut short');
    expect(await readdir(archive)).to.deep.equal([]);
    expect(await alone.ids(ledger.kind)).to.deep.equal([id]);
  });

  it('loses nothing when another process archives the same day in the same folder meanwhile', async () => {
    const id = `platform:exchange:${LAST}`;
    await putLedger(id);
    let overtaken: string | null = null;
    const slow = withLoad(async (keys) => {
      const documents = await alone.store.load(keys);
      // It stood still for so long that another process became the leader, and has done it all.
      if (documents.some((document) => document?.id === id)) overtaken ??= await run();
      return documents;
    });
    const reason = await run(slow).catch((error: NodeJS.ErrnoException) => error.code);
    expect(overtaken).to.equal(`before ${FIRST_KEPT}: 1 documents in ${LAST}.ndjson.gz`);
    expect(reason, 'what it had begun is gone').to.equal('ENOENT');
    expect(await readdir(archive)).to.deep.equal([`${LAST}.ndjson.gz`]);
    expect((await read(`${LAST}.ndjson.gz`)).map((one) => one.id)).to.deep.equal([id]);
  });
});
