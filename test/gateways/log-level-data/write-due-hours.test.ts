import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { feedPage } from '#actors/feed-page/feed-page';
import type { Impression } from '#actors/impression-rollup/messages';
import { job } from '#actors/job/job';
import { LEDGER_WATERMARK_ID, watermark } from '#actors/watermark/watermark';
import { deleteOldDays } from '#gateways/log-level-data/delete-old-days';
import type { Destination } from '#gateways/log-level-data/destination/destination';
import { createFolderDestination } from '#gateways/log-level-data/destination/folder-destination';
import { HOUR_MS, hourOf } from '#gateways/log-level-data/hour';
import { hourManifestFile } from '#gateways/log-level-data/layout';
import { LogLevelMetrics } from '#gateways/log-level-data/log-level-metrics';
import { LogLevelReader } from '#gateways/log-level-data/log-level-reader';
import { createWriteDueHours } from '#gateways/log-level-data/write-due-hours';
import type { Job } from '#scheduler/job';
import { WRITE_LOG_LEVEL_DATA, writeLogLevelData } from '#scheduler/jobs/write-log-level-data';
import { type EmbeddedStoreAlone, openStoreAlone } from '../../scheduler/jobs/embedded-store.ts';
import { runJob } from '../../scheduler/jobs/run-job.ts';
import { Market } from './market.ts';
import { filesBelow, hashesBelow, jsonOf } from './written-files.ts';

/** The middle of an hour: the hour in which the job first runs is not whole. */
const SINCE_MS = Date.UTC(2026, 2, 14, 10, 30);
const ELEVEN_MS = Date.UTC(2026, 2, 14, 11);

describe('the hours of log-level data', () => {
  let alone: EmbeddedStoreAlone;
  let root: string;
  let destination: Destination;
  let registry: Registry;
  let versions: number;
  /** When metrics are scraped. */
  let nowMs: number;
  const clock = { now: () => nowMs };
  beforeEach(async () => {
    alone = await openStoreAlone();
    root = join(alone.folder, 'log-level');
    destination = createFolderDestination(root);
    registry = new Registry();
    versions = 1;
    nowMs = SINCE_MS;
    await alone.put(job.kind, WRITE_LOG_LEVEL_DATA, { sinceMs: SINCE_MS });
  });
  afterEach(() => alone.close());

  /** The job as one process has it: nothing but the destination tells it what others have done. */
  const process = (into: Destination = destination, metrics = new LogLevelMetrics(registry, clock), keepDays = 0) => {
    const logger = pino({ level: 'silent' });
    const { store } = alone;
    return writeLogLevelData(
      createWriteDueHours({ store, destination: into, metrics, logger, keepDays, jobName: WRITE_LOG_LEVEL_DATA }),
    );
  };
  const raise = async (to: string) => {
    versions += 1;
    await alone.put(watermark.kind, LEDGER_WATERMARK_ID, { throughMs: Date.parse(to) }, { version: versions });
  };
  const sell = async (throughMs: number, lose: (market: Market) => void = () => {}) => {
    const market = new Market();
    for (let atMs = SINCE_MS; atMs < SINCE_MS + 4 * HOUR_MS; atMs += 60_000) {
      const impression: Impression = {
        ...{ id: `t${atMs}`, auction: 'a', publisher: 'pub', dsp: 'dsp', region: 'fra', account: 'account' },
        ...{ priceCpmMicros: 1_234_567, feePpm: 123_456, soldAtMs: atMs },
      };
      market.bill(impression, atMs);
    }
    lose(market);
    await market.save(alone, throughMs);
    return market;
  };
  const manifests = async () => (await filesBelow(root)).filter((name) => name.includes('/hours/'));
  const value = async (name: string, labels: Record<string, string> = {}) => {
    const { values = [] } = (await registry.getSingleMetric(name)?.get()) ?? {};
    const matching = values.filter((one) => Object.entries(labels).every(([key, of]) => one.labels[key] === of));
    return matching.reduce((sum, one) => sum + one.value, 0);
  };
  /** The lag of a scrape then, in seconds; undefined when none is exported. */
  const lagAt = async (date: string) => {
    nowMs = Date.parse(date);
    return (await registry.getSingleMetric('exchange_log_level_lag_seconds')!.get()).values[0]?.value;
  };

  it('are written once each, as the watermark passes their ends, from the first whole one on', async () => {
    await sell(ELEVEN_MS + 100_000);
    const writing = process();
    expect(await runJob(writing, '2026-03-14T11:01:00Z')).to.equal('nothing was due');
    expect(await runJob(writing, '2026-03-14T12:01:00Z'), 'the watermark is late').to.equal('nothing was due');
    expect(await lagAt('2026-03-14T12:01:00Z')).to.equal(60);
    expect(await filesBelow(root)).to.deep.equal([]);
    await raise('2026-03-14T12:00:00Z');
    expect(await runJob(writing, '2026-03-14T12:06:00Z')).to.equal('2026-03-14T11: 120 rows, complete');
    expect(await lagAt('2026-03-14T12:06:00Z')).to.equal(0);
    expect(await value('exchange_log_level_rows_total', { event: 'impressions' })).to.equal(120);
    expect(await runJob(writing, '2026-03-14T12:11:00Z')).to.equal('nothing was due');
    await raise('2026-03-14T14:00:30Z');
    expect(await runJob(writing, '2026-03-14T14:01:00Z')).to.equal(
      '2026-03-14T12: 120 rows, complete; 2026-03-14T13: 120 rows, complete',
    );
    expect((await manifests()).map((name) => name.slice(-12, -5))).to.deep.equal(['hour=11', 'hour=12', 'hour=13']);
    expect(await value('exchange_log_level_outcomes_total', { outcome: 'complete' })).to.equal(3);
  });

  it('are gone on with by the next leader, which writes no hour again and ends with the same files', async () => {
    await sell(Date.parse('2026-03-14T14:00:30Z'));
    await runJob(process(), '2026-03-14T14:01:00Z');
    const whole = await hashesBelow(root);
    await rm(root, { recursive: true });
    let stored = 0;
    const dying: Destination = {
      ...destination,
      async put(name, file) {
        // In the middle of the second hour.
        stored += 1;
        if (stored > 3) throw new Error('the process died');
        await destination.put(name, file);
      },
    };
    registry = new Registry();
    await runJob(process(dying), '2026-03-14T14:01:00Z').then(
      () => expect.fail('it went on'),
      (error: Error) => expect(error.message).to.equal('the process died'),
    );
    expect(await manifests()).to.have.lengthOf(1);
    registry = new Registry();
    expect(await runJob(process(), '2026-03-14T14:01:00Z')).to.equal(
      '2026-03-14T12: 120 rows, complete; 2026-03-14T13: 120 rows, complete',
    );
    expect(await hashesBelow(root)).to.deep.equal(whole);
  });

  it('are written again by the same process when their manifests are deleted', async () => {
    await sell(Date.parse('2026-03-14T14:00:30Z'));
    const writing = process();
    await runJob(writing, '2026-03-14T14:01:00Z');
    const whole = await hashesBelow(root);
    await rm(join(root, hourManifestFile(hourOf(ELEVEN_MS + HOUR_MS))));
    expect(await runJob(writing, '2026-03-14T14:06:00Z')).to.equal('2026-03-14T12: 120 rows, complete');
    expect(await hashesBelow(root)).to.deep.equal(whole);
    expect(await runJob(writing, '2026-03-14T14:11:00Z')).to.equal('nothing was due');
  });

  it('are looked up with one call of the destination for each day, when all of a week are written', async () => {
    await raise('2026-03-21T10:00:00Z');
    for (let startMs = ELEVEN_MS; startMs < Date.parse('2026-03-21T10:00:00Z'); startMs += HOUR_MS) {
      await destination.putText(hourManifestFile(hourOf(startMs)), '{}');
    }
    const calls: string[] = [];
    const counted = new Proxy(destination, {
      get: (of, name: keyof Destination) => {
        calls.push(name);
        return of[name];
      },
    });
    expect(await runJob(process(counted), '2026-03-21T10:01:00Z')).to.equal('nothing was due');
    expect(calls).to.deep.equal(Array(8).fill('files'));
  });

  it('are late by the time of a scrape while the destination fails, for a new leader too', async () => {
    await sell(Date.parse('2026-03-14T14:00:30Z'));
    let away = false;
    const failing: Destination = {
      ...destination,
      async files(folder) {
        if (away) throw new Error('the bucket is away');
        return destination.files(folder);
      },
    };
    const fails = (writing: Job, due: string) =>
      runJob(writing, due).then(
        () => expect.fail('it went on'),
        (error: Error) => expect(error.message).to.equal('the bucket is away'),
      );
    const writing = process(failing);
    expect(await lagAt('2026-03-14T12:00:30Z'), 'before it was looked').to.equal(undefined);
    await runJob(writing, '2026-03-14T12:01:00Z');
    expect(await lagAt('2026-03-14T12:59:00Z')).to.equal(0);
    away = true;
    await fails(writing, '2026-03-14T13:01:00Z');
    expect(await lagAt('2026-03-14T13:01:00Z')).to.equal(60);
    await fails(writing, '2026-03-14T15:06:00Z');
    expect(await lagAt('2026-03-14T15:06:00Z')).to.equal(2 * 3_600 + 360);

    registry = new Registry();
    const metrics = new LogLevelMetrics(registry, clock);
    const next = process(failing, metrics);
    await fails(next, '2026-03-14T15:07:00Z');
    expect(await lagAt('2026-03-14T15:07:00Z'), 'of the hour that ended last').to.equal(420);
    await fails(next, '2026-03-14T16:07:00Z');
    expect(await lagAt('2026-03-14T16:07:00Z')).to.equal(3_600 + 420);
    away = false;
    await runJob(next, '2026-03-14T16:11:00Z');
    expect(await lagAt('2026-03-14T16:11:00Z'), 'the watermark is late').to.equal(3_600 + 660);
    metrics.forget();
    expect(await lagAt('2026-03-14T16:12:00Z'), 'of who is no leader any more').to.equal(undefined);
  });

  it('are left to the next leader at once when the term is over', async () => {
    await sell(Date.parse('2026-03-14T14:00:30Z'));
    const over = AbortSignal.abort(new Error('the term is over'));
    await runJob(process(), '2026-03-14T14:01:00Z', over).then(
      () => expect.fail('it went on'),
      (error: Error) => expect(error.message).to.equal('the term is over'),
    );
    expect(await filesBelow(root)).to.deep.equal([]);
  });

  it('hold up no other hour while they are held, and are whole when what was lost has come', async () => {
    const lost: [string, unknown][] = [];
    await sell(Date.parse('2026-03-14T13:00:30Z'), (market) => {
      const [id, state] = [...market.pages].find(([page]) => page.includes(`:${ELEVEN_MS + 60_000}:`))!;
      market.pages.delete(id);
      lost.push([id, state]);
    });
    const writing = process();
    expect(await runJob(writing, '2026-03-14T13:01:00Z')).to.equal(
      '2026-03-14T11: held, 2 sources differ; 2026-03-14T12: 120 rows, complete',
    );
    expect(await value('exchange_log_level_outcomes_total', { outcome: 'held' })).to.equal(1);
    expect(await lagAt('2026-03-14T13:01:00Z')).to.equal(3_660);
    // Its dead letter is replayed.
    await alone.put(feedPage.kind, ...lost[0]!);
    expect(await runJob(writing, '2026-03-14T13:06:00Z')).to.equal('2026-03-14T11: 120 rows, complete');
    expect(await lagAt('2026-03-14T13:06:00Z')).to.equal(0);
  });

  it('are written as they are after a day, and not at all after a week', async () => {
    await sell(Date.parse('2026-03-14T12:00:30Z'), ({ pages }) => {
      pages.delete([...pages.keys()].find((page) => page.includes(`:${ELEVEN_MS}:`))!);
    });
    const writing = process();
    expect(await runJob(writing, '2026-03-14T12:01:00Z')).to.equal('2026-03-14T11: held, 2 sources differ');
    expect(await runJob(writing, '2026-03-15T11:59:00Z')).to.equal('2026-03-14T11: held, 2 sources differ');
    expect(await runJob(writing, '2026-03-15T12:01:00Z')).to.equal('2026-03-14T11: 118 rows, incomplete');
    expect(await value('exchange_log_level_outcomes_total', { outcome: 'incomplete' })).to.equal(1);
    await rm(root, { recursive: true });
    expect(
      await runJob(process(destination, new LogLevelMetrics(new Registry(), clock)), '2026-03-21T12:01:00Z'),
    ).to.equal('nothing was due');
  });

  it('are deleted by the day once they are old, manifests too', async () => {
    await sell(Date.parse('2026-03-14T14:00:30Z'));
    await runJob(process(), '2026-03-14T14:01:00Z');
    const { signal } = new AbortController();
    const at = (date: string) => Date.parse(date);
    expect(await deleteOldDays(destination, 0, at('2027-03-14T00:00:00Z'), signal)).to.deep.equal([]);
    expect(await deleteOldDays(destination, 30, at('2026-04-13T23:59:00Z'), signal)).to.deep.equal([]);
    expect(await deleteOldDays(destination, 30, at('2026-04-14T00:00:00Z'), signal)).to.deep.equal(['2026-03-14']);
    expect(await filesBelow(root)).to.deep.equal([]);
    const metrics = new LogLevelMetrics(new Registry(), clock);
    const next = process(destination, metrics, 1);
    expect(await runJob(next, '2026-03-16T00:01:00Z'), 'they are not written again').to.equal('nothing was due');
  });

  it('are whole or not there wherever a deletion is cut short, and the next one deletes what is left', async () => {
    await sell(Date.parse('2026-03-14T14:00:30Z'));
    await runJob(process(), '2026-03-14T14:01:00Z');
    const kept = join(alone.folder, 'kept');
    await cp(root, kept, { recursive: true });
    const reader = new LogLevelReader(destination);
    const nowMs = Date.parse('2026-04-14T00:00:00Z');
    const { signal } = new AbortController();
    let cuts = 0;
    for (; ; cuts += 1) {
      await rm(root, { recursive: true });
      await cp(kept, root, { recursive: true });
      let removals = 0;
      const failing: Destination = {
        ...destination,
        async removeFolder(name) {
          if (removals === cuts) throw new Error('the process died');
          removals += 1;
          await destination.removeFolder(name);
        },
      };
      const died = await deleteOldDays(failing, 30, nowMs, signal).then(
        () => false,
        () => true,
      );
      if (!died) break;
      const left = await filesBelow(root);
      const hours = await reader.hours('publisher', 'pub', ELEVEN_MS, ELEVEN_MS + 3 * HOUR_MS);
      expect(hours, `after ${cuts} folders`).to.have.lengthOf(cuts === 0 ? 3 : 0);
      for (const { manifest } of hours) expect(manifest?.logged.impressions).to.equal(60);
      for (const name of left.filter((each) => each.includes('/manifests/'))) {
        for (const { path } of (await jsonOf(root, name)).files) expect(left).to.include(path);
      }
      expect(await deleteOldDays(destination, 30, nowMs, signal)).to.deep.equal(['2026-03-14']);
      expect(await filesBelow(root)).to.deep.equal([]);
    }
    expect(cuts, 'manifests of hours, those of sources, and impressions').to.equal(3);
  });

  it('are not there for a reader that a deletion overtakes', async () => {
    await sell(Date.parse('2026-03-14T14:00:30Z'));
    await runJob(process(), '2026-03-14T14:01:00Z');
    const overtaken: Destination = {
      ...destination,
      async readText(name) {
        await deleteOldDays(destination, 30, Date.parse('2026-04-14T00:00:00Z'), new AbortController().signal);
        return destination.readText(name);
      },
    };
    const hours = await new LogLevelReader(overtaken).hours('publisher', 'pub', ELEVEN_MS, ELEVEN_MS + HOUR_MS);
    expect(hours).to.deep.equal([]);
  });
});
