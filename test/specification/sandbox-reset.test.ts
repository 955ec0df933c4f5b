import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { pino } from 'pino';
import { type Exchange, startExchange } from '../../composition/start-exchange.ts';
import { readSettings } from '../../settings.ts';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { callJson, PROVIDER_PAIRS } from '../support/exchange.ts';
import { freePort } from '../support/free-port.ts';
import { againstExchange, type ExchangeUnderTest } from './against-exchange.ts';
import { campaignOf, delegateMarket } from './delegate-market.ts';
import { BANNER, type Market } from './market.ts';
import { openOtherAccount } from './other-account.ts';
import { shows } from './shows.ts';

const inSandbox = { 'X-Sandbox': 'true' };
/** A standard account reads a thousand times a minute. */
const PATIENTLY = { timeoutMs: 60_000, everyMs: 250 };

/** What reports say of both sides of a market. */
async function figures(exchange: ExchangeUnderTest, market: Market, headers: Record<string, string>) {
  const read = async (path: string) => (await exchange.get(path, headers)).body;
  const [supply, demand, platform] = await Promise.all([
    read(`/api/supply/sources/${market.publisherId}/stats?period=1h`),
    read(`/api/demand/sources/${market.bidders[0]!.dspId}/stats?period=1h`),
    read('/api/metrics?period=1h'),
  ]);
  return { supply, demand, platform };
}

/** Sandbox auctions without end, the pixel of every ad called; each with the time of its beginning. */
class Rehearsal {
  /** Monotonic ms: when each auction and each pixel call began and was answered. */
  readonly auctions: [number, number][] = [];
  readonly pixels: [number, number][] = [];
  readonly #edgeUrls: readonly string[];
  readonly #market: Market;
  #going = true;
  #workers: Promise<void>[] = [];

  constructor(market: Market, edgeUrls: readonly string[]) {
    this.#market = market;
    this.#edgeUrls = edgeUrls;
  }

  start(): void {
    for (const edgeUrl of this.#edgeUrls) {
      for (let worker = 0; worker < 3; worker++) this.#workers.push(this.#work(edgeUrl));
    }
  }

  async end(): Promise<void> {
    this.#going = false;
    await Promise.all(this.#workers);
  }

  async #work(edgeUrl: string): Promise<void> {
    while (this.#going) {
      let startedMs = performance.now();
      const request = { id: randomUUID(), imp: [BANNER], site: { id: this.#market.publisherId } };
      const { status, body } = await callJson('POST', `${edgeUrl}/rtb`, request, inSandbox);
      this.auctions.push([startedMs, performance.now()]);
      // On a busy machine a bidder may come too late.
      if (status === 204) continue;
      startedMs = performance.now();
      const pixel = body.seatbid[0].bid[0].burl.replace(/^http:\/\/[^/]+/, edgeUrl);
      await (await fetch(pixel)).arrayBuffer();
      this.pixels.push([startedMs, performance.now()]);
    }
  }
}

for (const pair of PROVIDER_PAIRS) {
  againstExchange(
    'sandbox reset',
    (exchange) => {
      const reset = (headers?: Record<string, string>) =>
        exchange.call('POST', '/api/sandbox/reset', undefined, headers);

      shows('sandbox.reset.200', async () => {
        const before = await reset();
        expect(before.status, JSON.stringify(before.body)).to.equal(200);
        expect(before.body).to.have.all.keys('message', 'affected_publishers', 'affected_dsps');
        expect(before.body.message).to.be.a('string').and.not.equal('');
        // The sources of the sandbox that every account has.
        const { affected_publishers: publishers, affected_dsps: dsps } = before.body;
        expect([publishers, dsps]).to.deep.equal([3, 4]);

        const source = { domain: 'site.example', type: 'web' };
        await exchange.create('/api/supply/sources', { ...source, sandbox: true });
        const archived = await exchange.create('/api/supply/sources', { ...source, sandbox: true });
        await exchange.call('DELETE', `/api/supply/sources/${archived.id}`, undefined, inSandbox);
        await exchange.create('/api/supply/sources', source);
        await exchange.create('/api/demand/sources', { mode: 'delegate', sandbox: true });
        expect((await reset()).body).to.include({ affected_publishers: publishers + 1, affected_dsps: dsps + 1 });
      });

      shows(['sandbox.reset.flushes', 'sandbox.reset.live-untouched'], async () => {
        const bidder = { script: bids({ price: 2 }) };
        const rehearsed = { ...bidder, dsp: { sandbox: true } };
        const market = await exchange.market({ publisher: { sandbox: true }, bidders: [rehearsed] });
        // A live publisher may rehearse too: only sums show that.
        const live = await exchange.market({ bidders: [bidder, rehearsed] });
        const partner = await exchange.create('/api/partners', {});
        for (const { burl } of [await market.bid(), await live.bid(), await live.bid({}, inSandbox)]) await fetch(burl);
        const seen = async (impressions: number) => {
          const { supply, platform } = await figures(exchange, market, inSandbox);
          return supply.impressions === 1 && platform.impressions === impressions;
        };
        await eventually('the rehearsals to be counted', () => seen(2), PATIENTLY);
        const sold = async () => (await figures(exchange, live, {})).supply;
        // Edges tell of auctions, the log of impressions: neither waits for the other.
        const counted = async () => {
          const { impressions, bid_requests: requests } = await sold();
          return impressions === 1 && requests > 0;
        };
        await eventually('the live auction and its impression to be counted', counted, PATIENTLY);

        // Another account has but its own test publishers and synthetic demand, a new partner nothing.
        const others = await reset({ 'X-API-Key': await openOtherAccount(exchange) });
        expect(others.body).to.include({ affected_publishers: 3, affected_dsps: 4 });
        const partners = await reset({ 'X-User-Partner-ID': partner.id });
        expect(partners.body).to.include({ affected_publishers: 0, affected_dsps: 0 });
        expect(await seen(2), 'after resets of another account and of a partner').to.equal(true);

        const health = async (of: Market) =>
          (await exchange.get(`/api/demand/sources/${of.bidders[0]!.dspId}/health`)).body;
        const bid = async () =>
          (await health(market)).last_bid_at !== null && (await health(live)).last_bid_at !== null;
        await eventually('the health of both bidders to be seen', bid, PATIENTLY);
        const logged = async (headers: Record<string, string>) =>
          (await exchange.get('/api/auctions', headers)).body.auctions as { readonly publisher_id: string }[];
        const ofBoth = async (headers: Record<string, string>, expected: readonly Market[]) => {
          const ids = new Set((await logged(headers)).map(({ publisher_id: id }) => id));
          return expected.every(({ publisherId }) => ids.has(publisherId));
        };
        await eventually('the rehearsals to be logged', () => ofBoth(inSandbox, [market, live]), PATIENTLY);
        await eventually('live auctions to be logged', () => ofBoth({}, [live]), PATIENTLY);
        const soldBefore = await sold();
        const healthBefore = await health(live);
        const source = (await exchange.get(`/api/supply/sources/${live.publisherId}`)).body;
        // Of these no ledger has heard yet.
        const early = await market.bid();
        await live.bid({}, inSandbox);
        const { body } = await reset();
        const made = [3, 4];
        expect(
          [body.affected_publishers, body.affected_dsps],
          'both publishers, two demand sources and the first test’s',
        ).to.deep.equal([made[0]! + 3, made[1]! + 3]);
        expect(await logged(inSandbox), 'auction logs').to.deep.equal([]);
        expect(await ofBoth({}, [live]), 'live auction logs').to.equal(true);
        const flushed = await figures(exchange, market, inSandbox);
        for (const field of ['impressions', 'revenue_cents', 'bid_requests', 'fill_rate', 'p99_ms']) {
          expect(flushed.supply[field], field).to.equal(0);
        }
        for (const field of ['impressions', 'spend_cents', 'bid_requests', 'bids', 'wins', 'timeout_rate']) {
          expect(flushed.demand[field], field).to.equal(0);
        }
        for (const field of ['auctions', 'impressions', 'revenue_cents', 'bid_requests_sent']) {
          expect(flushed.platform[field], field).to.equal(0);
        }
        expect(await health(market), 'live counters').to.include({ last_bid_at: null, avg_latency_ms: 0 });
        expect((await health(live)).last_bid_at).to.equal(healthBefore.last_bid_at);
        expect((await exchange.get(`/api/supply/sources/${live.publisherId}`)).body).to.deep.equal(source);
        expect(await sold()).to.deep.equal(soldBefore);

        // What was sold before and is rendered now counts now; and by then nothing else has come back.
        await fetch(early.burl);
        await market.bid();
        await eventually('what came after to be counted', () => seen(1), PATIENTLY);
        const after = async () => (await figures(exchange, market, inSandbox)).demand;
        const isCounted = ({ wins, impressions }: { wins: number; impressions: number }) => wins > 0 && impressions > 0;
        await eventually('its auction too, for the demand source', async () => isCounted(await after()), PATIENTLY);
        const { wins, impressions, bid_requests: requests } = await after();
        expect([wins, impressions, requests]).to.deep.equal([1, 1, 1]);
      });

      it('lets campaigns bid again whose sandbox budget was spent, and so does a move to live', async () => {
        const market = await delegateMarket(exchange, { publisher: { sandbox: true } });
        const dspId = await market.delegate({ sandbox: true });
        const costly = { bidding: { base_cpm: 10 }, budget: { total_cents: 3 } };
        const id = await market.campaign(dspId, campaignOf('limited', costly));
        const shown = async (headers?: Record<string, string>) => {
          const { status, paused_by } = (await exchange.get(`/api/campaigns/${id}`, headers)).body;
          const path = `/api/campaigns?status=${status}&dsp_id=${dspId}`;
          expect((await exchange.get(path, headers)).body.total, `listed as ${status}`).to.equal(1);
          return { status, paused_by };
        };
        const spend = () =>
          eventually(
            'its budget to be spent',
            async () => {
              for (const { burl } of await market.sold()) await (await fetch(burl)).arrayBuffer();
              const { paused_by } = (await exchange.get(`/api/campaigns/${id}`, inSandbox)).body;
              return paused_by === 'total_budget';
            },
            PATIENTLY,
          );
        await spend();
        expect(await shown(inSandbox)).to.deep.equal({ status: 'paused', paused_by: 'total_budget' });
        expect((await reset()).status).to.equal(200);
        expect(await shown(inSandbox), 'after the reset').to.deep.equal({ status: 'active', paused_by: null });
        await spend();
        const moved = await exchange.call('PUT', `/api/demand/sources/${dspId}`, { sandbox: false });
        expect(moved.status, JSON.stringify(moved.body)).to.equal(200);
        expect(await shown(), 'live').to.deep.equal({ status: 'active', paused_by: null });
      });

      describe('under traffic', () => {
        let secondEdge: Exchange | undefined;
        const edgeUrls: string[] = [];
        before(async () => {
          edgeUrls.push(exchange.running.edgeUrl);
          // The embedded providers live in one process: there is one edge then.
          if (pair === 'embedded') return;
          const [edgePort, opsPort] = [await freePort(), await freePort()].map(String) as [string, string];
          const environment = {
            ...exchange.running.environment,
            ROLES: 'edge',
            EDGE_PORT: edgePort,
            OPS_PORT: opsPort,
          };
          secondEdge = await startExchange(readSettings(environment), pino({ level: 'silent' }));
          edgeUrls.push(`http://127.0.0.1:${edgePort}`);
        });
        after(() => secondEdge?.stop());

        it('from every edge, shows what came after and nothing else', async () => {
          const bidder = { script: bids({ price: 2 }), dsp: { sandbox: true } };
          const market = await exchange.market({ publisher: { sandbox: true }, bidders: [bidder] });
          const rehearsal = new Rehearsal(market, edgeUrls);
          for (const edgeUrl of edgeUrls) {
            const request = { id: randomUUID(), imp: [BANNER], site: { id: market.publisherId } };
            const fills = async () => (await callJson('POST', `${edgeUrl}/rtb`, request, inSandbox)).status === 200;
            await eventually(`${edgeUrl} to know the market`, fills, PATIENTLY);
          }
          rehearsal.start();
          const resets: [number, number][] = [];
          for (let times = 1; times <= 3; times++) {
            await eventually('some traffic', () => rehearsal.pixels.length >= times * 60, PATIENTLY);
            const startedMs = performance.now();
            expect((await reset()).status).to.equal(200);
            resets.push([startedMs, performance.now()]);
          }
          await eventually('some traffic after the last reset', () => rehearsal.pixels.length >= 300, PATIENTLY);
          await rehearsal.end();
          const [asked, answered] = resets.at(-1)!;
          /** No fewer than began after the answer, no more than ended after the question. */
          const bounds = (calls: [number, number][]): [number, number] => [
            calls.filter(([began]) => began > answered).length,
            calls.filter(([, ended]) => ended > asked).length,
          ];
          const auctions = bounds(rehearsal.auctions);
          const pixels = bounds(rehearsal.pixels);
          // Another process may count for the flushed books until it hears of the reset.
          if (edgeUrls.length > 1) auctions[0] = pixels[0] = 1;
          expect(rehearsal.auctions.length, 'some were flushed').to.be.greaterThan(auctions[1]);
          const settled = async () => {
            const { supply, demand } = await figures(exchange, market, inSandbox);
            expect(supply.bid_requests, 'auctions').to.be.within(...auctions);
            expect(demand.wins, 'wins').to.be.within(...auctions);
            expect(supply.impressions, 'impressions').to.be.within(...pixels);
            expect(demand.impressions, 'impressions of the DSP').to.be.within(...pixels);
            expect(supply.revenue_cents).to.be.closeTo(supply.impressions * 0.2, 1e-6);
            return true;
          };
          await eventually('what came after to be counted', settled, PATIENTLY);
          await eventually('nothing to be left in the log', () => logEmpty(exchange), PATIENTLY);
          await settled();
        });
      });
    },
    { pairs: [pair] },
  );
}

/** Whether all that was told has been handled and saved, by every partition's own account. */
async function logEmpty({ running }: ExchangeUnderTest): Promise<boolean> {
  const metrics = await (await fetch(`${running.opsUrl}/metrics`)).text();
  const lengths = [...metrics.matchAll(/^actor_partition_length\{.*\} (\d+)$/gm)].map(([, length]) => Number(length));
  return lengths.length === Number(running.environment.PARTITIONS) && lengths.every((length) => length === 0);
}
