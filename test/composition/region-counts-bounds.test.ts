import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type Logger, pino } from 'pino';
import { Registry } from 'prom-client';
import { facts } from '#actors/facts/facts';
import type { FactCounts } from '#actors/ledger/messages';
import { LogUnavailable, Overloaded } from '#runtime/actor/errors';
import { messagesOf } from '#runtime/node/bundle';
import { decodeEnvelope } from '#runtime/node/envelope';
import type { Providers } from '../../composition/create-providers.ts';
import type { FactsLog } from '../../composition/facts/facts-log.ts';
import { openRegionCounts } from '../../composition/facts/region-counts.ts';
import type { Settings } from '../../settings.ts';
import { eventually } from '../support/eventually.ts';
import { type RedisServer, requireRedisServer, startRedisServer } from '../support/redis-server.ts';

const HOUR_MS = Date.UTC(2026, 2, 14, 12);
const KEPT_ENTRIES = 256;
const logger: Logger = pino({ level: 'silent' });

describe("what a region's log keeps of counts", () => {
  let server: RedisServer | undefined;
  let isHomeAway: boolean;
  let atHome: string[];
  const closing: (() => Promise<unknown>)[] = [];

  before(function () {
    requireRedisServer(this);
  });
  beforeEach(() => {
    isHomeAway = false;
    atHome = [];
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    await server?.remove();
  });

  const home = {
    partitionOf: () => 0,
    append: async (_partition: number, payloads: readonly string[]) => {
      if (isHomeAway) throw new LogUnavailable('the link is cut');
      atHome.push(...payloads);
    },
  };

  async function open(redisUrl: string) {
    const settings = { regionRedisUrl: redisUrl, redisPrefix: `test-${randomUUID()}`, region: 'nyc', partitions: 1 };
    const counts = await openRegionCounts({
      settings: { ...settings, startWaitMs: 0 } as Settings,
      providers: { regionLog: {} } as Providers,
      factsLog: { home } as unknown as FactsLog,
      ...{ logger, registry: new Registry() },
    });
    closing.push(() => counts!.close());
    const body: FactCounts = {
      ...{ minuteMs: HOUR_MS, region: 'nyc', counts: { auctions: 1 } },
      ...{ counterparties: [], creatives: [], latency: {} },
    };
    return () => counts!.messenger.tell(facts, 'publisher:p:2026-03-14T12', 'facts', body);
  }

  async function refused(tell: () => Promise<void>): Promise<boolean> {
    return tell().then(
      () => false,
      (error) => error instanceof Overloaded,
    );
  }

  const countedAtHome = () =>
    atHome
      .flatMap((payload) => messagesOf({ position: '0-1', payload }))
      .reduce((sum, { payload }) => sum + (decodeEnvelope(payload).body as FactCounts).counts.auctions!, 0);

  it('is bounded while home is away: more is refused, and counted at its edge until home is back', async () => {
    server = await startRedisServer();
    const tell = await open(server.url);
    isHomeAway = true;
    let told = 0;
    while (!(await refused(tell))) told += 1;
    expect(told).to.equal(KEPT_ENTRIES);
    isHomeAway = false;
    await eventually('the region to have room', async () => {
      if (await refused(tell)) return false;
      told += 1;
      return true;
    });
    await eventually('all of it to be at home', () => countedAtHome() === told);
    expect(atHome.length, 'in few entries').to.be.below(10);
  });
});
