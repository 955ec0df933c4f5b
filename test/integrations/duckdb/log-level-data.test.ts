import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { statement } from '#actors/statement/statement';
import { statementId } from '#actors/statement/statement-id';
import { wholeCentsOf } from '#exchange/money/cents';
import { Market, VAST, VIDEO } from '#test/specification/market';
import { bids, type Script } from '#test/support/bidder';
import { eventually } from '#test/support/eventually';
import { callJson, startTestExchange, type TestExchange } from '#test/support/exchange';
import { ShiftedClock } from '#test/support/shifted-clock';

/** The parts of DuckDB's client that are used; its package is installed with the integrations. */
interface DuckDb {
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection> }> };
}
interface Connection {
  runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): Record<string, string>[] }>;
  closeSync(): void;
}

const BEFORE_MS = Date.parse('2031-03-31T22:59:30Z');
const HOUR_MS = Date.parse('2031-03-31T23:00:01Z');
const AFTER_MS = Date.parse('2031-04-01T00:00:05Z');
const MONTH = '2031-03';
const REQUESTS = 60;
const FEES = [12.3456, 0.0001];

describe('log-level data, read with DuckDB', () => {
  const clock = new ShiftedClock();
  let folder: string;
  let exchange: TestExchange;
  let cookie: string;
  let duckdb: Connection;
  const markets: Market[] = [];
  const dspIds: string[] = [];
  let billed = 0;
  let viewed = 0;
  let named = 0;

  const create = async (path: string, fields: object) => {
    named += 1;
    const answer = await exchange.call('POST', path, { name: `Source ${named}`, ...fields });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body;
  };
  const asOperator = (method: string, path: string, body?: unknown) =>
    callJson(method, `${exchange.baseUrl}${path}`, body, { Cookie: cookie, Origin: exchange.baseUrl });
  const select = async (sql: string) => (await duckdb.runAndReadAll(sql)).getRowObjectsJson();
  const files = (event: string, side: string) =>
    `read_json('${folder}/log-level/v1/${event}/*/*/${side}=*/*.ndjson.gz', hive_partitioning = true)`;

  /** Bids a price that differs from request to request, so that every buyer wins some. */
  const varying = (first: number): Script => {
    let asked = 0;
    return (received, response) => {
      asked += 1;
      const price = 1 + ((first + asked * 7_919_777) % 2_000_003) / 1_000_000;
      const isVideo = received.body.imp[0].video !== undefined;
      bids({ price, ...(isVideo ? { adm: VAST, crid: 'a film' } : { crid: 'a "banner"' }) })(received, response);
    };
  };

  before(async function () {
    clock.moveTo(BEFORE_MS);
    folder = await mkdtemp(join(tmpdir(), 'log-level-'));
    exchange = await startTestExchange(this, 'embedded', {
      LOG_LEVEL_DATA_URL: pathToFileURL(folder).href,
      AUCTION_SAMPLES_PER_SECOND: '1000',
    });
    cookie = await exchange.logIn();
    await eventually('the job to be known', async () => {
      const { body } = await asOperator('GET', '/api/jobs');
      return body.jobs.some((job: { name: string }) => job.name === 'write-log-level-data');
    });
    const require = createRequire(resolve('integrations/package.json'));
    const { DuckDBInstance }: DuckDb = require('@duckdb/node-api');
    duckdb = await (await DuckDBInstance.create(':memory:')).connect();

    const running = { running: exchange, call: exchange.call, create };
    for (const [index, fee] of FEES.entries()) {
      const market = new Market(running);
      markets.push(market);
      // One wants no feed: it is in the files all the same.
      await market.open({
        bidders: [
          { script: varying(index), dsp: { event_feed: false } },
          { script: varying(1_000_000 + index), dsp: {} },
        ],
      });
      dspIds.push(...market.bidders.map(({ dspId }) => dspId));
      const { status } = await asOperator('PUT', `/api/fees/${market.publisherId}`, { fee_percent: fee });
      expect(status).to.equal(200);
    }
    const delegate = await create('/api/demand/sources', { mode: 'delegate' });
    dspIds.push(delegate.id);
    for (const { poolId } of markets) {
      const { status } = await exchange.call('POST', `/api/demand/sources/${delegate.id}/pools/${poolId}`);
      expect(status).to.equal(200);
    }
    const campaign = await exchange.call('POST', '/api/campaigns', {
      ...{ dsp_id: delegate.id, campaign_id: 'spring', campaign_name: 'Spring', bidding: { base_cpm: 2.2 } },
      creative: { creative_id: 'spring-1', html: '<b>spring</b>', width: 300, height: 250 },
    });
    expect(campaign.status, JSON.stringify(campaign.body)).to.equal(201);
    await eventually('the campaign to win', async () => {
      const { body } = await markets[0]!.ask();
      return body.seatbid?.[0]?.bid[0]?.crid === 'spring-1';
    });

    clock.moveTo(HOUR_MS);
    for (let number = 0; number < REQUESTS; number += 1) {
      const bid = await markets[number % 2]!.bid(number % 3 === 0 ? { imp: [VIDEO] } : {});
      // Every fourth is never rendered; every fifth is called for twice.
      if (number % 4 === 0) continue;
      billed += 1;
      for (let call = 0; call < (number % 5 === 0 ? 2 : 1); call += 1)
        expect((await callJson('GET', bid.burl)).status).to.equal(200);
      if (number % 3 !== 1) continue;
      viewed += 1;
      const reported = await callJson(
        'POST',
        `${exchange.edgeUrl}/track/view?event=viewable&${new URL(bid.burl).search.slice(1)}`,
      );
      expect(reported.status).to.equal(204);
    }
    // The last sale comes after the last view: whoever has its win has all of them.
    await eventually('the feeds to have every win', async () => {
      const feeds = dspIds.map((id) => exchange.call('GET', `/api/dsp/${id}/feed?type=win&limit=5000`));
      const events = (await Promise.all(feeds)).flatMap(({ body }) => body.events);
      return events.filter((event) => Date.parse(event.sold_at) >= HOUR_MS).length === REQUESTS;
    });
    await eventually('an auction of the hour to be recorded', async () => {
      const from = encodeURIComponent(new Date(HOUR_MS).toISOString());
      return (await exchange.call('GET', `/api/auctions?from=${from}`)).body.auctions.length > 0;
    });
    const manifests = join(folder, 'log-level/v1/hours/dt=2031-03-31/hour=23.json');
    clock.moveTo(AFTER_MS);
    await eventually(
      'the hour to be written',
      async () => {
        await asOperator('POST', '/api/jobs/write-log-level-data/run');
        return (await select(`SELECT file FROM glob('${manifests}')`)).length > 0;
      },
      { timeoutMs: 60_000, everyMs: 500 },
    );
  });
  after(async () => {
    duckdb?.closeSync();
    for (const market of markets) await market.close();
    await exchange?.stop();
    clock.restore();
    await rm(folder, { recursive: true, force: true });
  });

  /** The statement of the month as it is frozen, in nano-dollars. */
  const frozen = async (scope: 'publisher' | 'dsp', id: string) => {
    const side = scope === 'publisher' ? 'supply' : 'demand';
    const { status, body } = await exchange.call('GET', `/api/${side}/sources/${id}/billing?month=${MONTH}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    // Asked again, a statement answers with the first freeze, which the reading was.
    const figures = {
      month: MONTH,
      impressions: 0,
      grossNanos: '0',
      lateImpressions: 0,
      lateGrossNanos: '0',
      feePpm: 0,
    };
    const unused = { ...figures, grossCents: 0, feeCents: 0, dueCents: 0, ledgers: 0, pagesSha256: '0'.repeat(64) };
    const stated = await exchange.exchange.node.messenger.ask(
      statement,
      statementId(scope, id, MONTH),
      'freeze',
      unused,
    );
    return { stated, shown: body };
  };

  it('sums up to each publisher’s statement, to the nano-dollar', async () => {
    const rows = await select(
      `SELECT publisher_id, COUNT(*) AS n, SUM(price_nanos)::VARCHAR AS gross, SUM(payout_nanos)::VARCHAR AS payout,
        SUM(fee_nanos)::VARCHAR AS fee, COUNT(DISTINCT tracking_id) AS ids, BOOL_AND(publisher::VARCHAR = publisher_id) AS own
       FROM ${files('impressions', 'publisher')} WHERE dt = '2031-03-31' AND hour = '23' GROUP BY ALL ORDER BY ALL`,
    );
    expect(rows).to.have.lengthOf(2);
    expect(rows.reduce((sum, { n }) => sum + Number(n), 0)).to.equal(billed);
    for (const row of rows) {
      const { stated, shown } = await frozen('publisher', row.publisher_id!);
      expect([row.own, row.ids]).to.deep.equal([true, row.n]);
      expect([Number(row.n), row.gross]).to.deep.equal([stated.impressions, stated.grossNanos]);
      expect(BigInt(row.payout!) + BigInt(row.fee!)).to.equal(BigInt(row.gross!));
      const { impressions, gross_revenue_cents: grossCents } = shown.payout;
      expect([impressions, grossCents]).to.deep.equal([Number(row.n), wholeCentsOf(BigInt(row.gross!))]);
      expect(shown.status).to.equal('finalized');
    }
  });

  it('sums up to each demand source’s statement, with or without a feed of its own', async () => {
    const rows = await select(
      `SELECT dsp_id, COUNT(*) AS n, SUM(price_nanos)::VARCHAR AS spend FROM ${files('impressions', 'dsp')} GROUP BY ALL`,
    );
    expect(rows.map(({ dsp_id }) => dsp_id)).to.have.members(dspIds);
    for (const { dsp_id, n, spend } of rows) {
      const { stated, shown } = await frozen('dsp', dsp_id!);
      expect([Number(n), spend]).to.deep.equal([stated.impressions, stated.grossNanos]);
      expect(shown.invoice.spend_cents).to.equal(wholeCentsOf(BigInt(spend!)));
      expect(shown.status).to.equal('finalized');
    }
  });

  it('joins impressions to what was sold, on either side', async () => {
    const rows = await select(
      `SELECT w.format, w.width, COUNT(i.tracking_id) AS shown, COUNT(*) AS won FROM ${files('wins', 'dsp')} AS w
       LEFT JOIN ${files('impressions', 'dsp')} AS i USING (tracking_id)
       WHERE w.sold_at >= TIMESTAMP '2031-03-31 23:00:01' GROUP BY ALL ORDER BY ALL`,
    );
    expect(rows.reduce((sum, { shown }) => sum + Number(shown), 0)).to.equal(billed);
    expect(rows.reduce((sum, { won }) => sum + Number(won), 0)).to.equal(REQUESTS);
    expect(new Set(rows.map(({ format }) => format))).to.deep.equal(new Set(['banner', 'video']));
    const [unmatched] = await select(
      `SELECT COUNT(*) AS n FROM ${files('impressions', 'publisher')} ANTI JOIN ${files('wins', 'publisher')} USING (tracking_id)`,
    );
    expect(Number(unmatched!.n)).to.equal(0);
    const campaigns = await select(
      `SELECT DISTINCT creative_id FROM ${files('impressions', 'dsp')} WHERE campaign_id IS NOT NULL`,
    );
    expect(campaigns).to.deep.equal([{ creative_id: 'spring-1' }]);
  });

  it('has what was seen of the impressions, once for each measure', async () => {
    const rows = await select(
      `SELECT v.measure, COUNT(*) AS n, COUNT(i.tracking_id) AS billed FROM ${files('views', 'publisher')} AS v
       LEFT JOIN ${files('impressions', 'publisher')} AS i USING (tracking_id) GROUP BY ALL ORDER BY ALL`,
    );
    const all = { n: String(viewed), billed: String(viewed) };
    expect(rows).to.deep.equal([
      { measure: 'measurable', ...all },
      { measure: 'viewable', ...all },
    ]);
  });

  it('estimates the number of auctions from the sample', async () => {
    const [row] = await select(
      `SELECT COUNT(*) AS n, SUM(sample_weight)::INTEGER AS all FROM ${files('auctions', 'publisher')}`,
    );
    expect(Number(row!.n)).to.be.within(1, REQUESTS);
    expect(Number(row!.all)).to.be.within(Number(row!.n), 3 * REQUESTS);
  });

  it('says in its manifests what it has, and that it is complete', async () => {
    const [hour] = await select(
      `SELECT complete, logged.impressions AS logged, ledger.price_nanos AS ledger, logged.price_nanos AS rows
       FROM read_json('${folder}/log-level/v1/hours/dt=2031-03-31/hour=23.json')`,
    );
    expect(hour!.complete).to.equal(true);
    expect([Number(hour!.logged), String(hour!.rows)]).to.deep.equal([billed, String(hour!.ledger)]);
    const listed = await select(
      `SELECT f.path AS path, f.rows AS n FROM (SELECT UNNEST(files) AS f
       FROM read_json('${folder}/log-level/v1/manifests/dt=2031-03-31/hour=23/*.json', union_by_name = true)) WHERE f.event = 'impressions'`,
    );
    expect(listed.reduce((sum, { n }) => sum + Number(n), 0)).to.equal(2 * billed);
  });
});
