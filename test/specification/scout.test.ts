import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, callJson } from '../support/exchange.ts';
import { ABSENT_ID, againstExchange, errorOf } from './against-exchange.ts';
import type { Market } from './market.ts';
import { shows } from './shows.ts';

againstExchange('viewability', (exchange) => {
  let market: Market;
  let dspId: string;
  /** No key: the renderer of the ad reports it. */
  const tell = (events: unknown): Promise<Answer> =>
    callJson('POST', `${exchange.running.baseUrl}/api/scout/events`, { events });
  const read = (query: string): Promise<Answer> => exchange.get(`/api/scout/viewability?${query}`);
  const outcomes: string[] = [];

  before(async () => {
    market = await exchange.market({
      bidders: [{ script: bids({ price: 2, crid: 'big' }) }, { script: bids({ price: 1 }) }],
    });
    const [first, second] = market.bidders as [Market['bidders'][0], Market['bidders'][0]];
    dspId = first.dspId;
    const sold: string[] = [];
    for (let sale = 0; sale < 6; sale++) {
      // The last two are of another creative.
      if (sale === 4) first.script = bids({ price: 2, crid: 'small' });
      const { burl } = await market.bid();
      expect((await callJson('GET', burl)).status).to.equal(200);
      sold.push(new URL(burl).search.slice(1));
    }
    const [a, b, c, d, e] = sold as [string, string, string, string, string, string];
    const events = [
      { event: 'measurable', tracking: a },
      { event: 'viewable', tracking: a },
      { event: 'viewable', tracking: a },
      { event: 'not_viewable', tracking: b },
      { event: 'viewable', tracking: c.replace(`dsp=${dspId}`, `dsp=${second.dspId}`) },
      { event: 'viewable', tracking: 'id=1&t=made-up' },
      { event: 'viewable', tracking: e },
    ];
    const answer = await tell(events);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    outcomes.push(...answer.body.outcomes);
    // The edge takes the same, and knows what was told here; both in one process.
    const { edgeUrl } = exchange.running;
    for (const [method, query] of [
      ['POST', `event=viewable&${d}`],
      ['GET', `event=viewable&${a}`],
    ] as const) {
      expect((await callJson(method, `${edgeUrl}/track/view?${query}`)).status).to.equal(204);
    }
    await eventually(
      'what was told to be in the books',
      async () => {
        const { body } = await read(`dsp_id=${dspId}`);
        return body.impressions === 6 && body.measurable === 4 && body.viewable === 3;
      },
      { timeoutMs: 60_000, everyMs: 100 },
    );
    await eventually('the publisher’s books, too', async () => {
      const { body } = await read(`publisher_id=${market.publisherId}`);
      return body.impressions === 6 && body.viewable === 3;
    });
  });

  const all = { impressions: 6, measurable: 4, viewable: 3, measurable_rate: 0.6667, viewable_rate: 0.75 };

  shows('scout.events', () => {
    expect(outcomes).to.deep.equal(['counted', 'counted', 'repeated', 'counted', 'altered', 'forged', 'counted']);
  });

  shows('scout.events.signed', async () => {
    // Told twice at the edge and four times here, one of them again there: nothing counted twice, nothing of others.
    expect((await read(`dsp_id=${dspId}&period=1h`)).body).to.deep.include(all);
    expect((await read(`dsp_id=${market.bidders[1]!.dspId}`)).body).to.include({ impressions: 0, measurable: 0 });
  });

  shows('scout.events.400', async () => {
    const good = { event: 'viewable', tracking: 'x' };
    for (const [events, error] of [
      [[], '400 VALIDATION_ERROR events'],
      [Array.from({ length: 51 }, () => good), '400 VALIDATION_ERROR events'],
      [[{ ...good, event: 'clicked' }], '400 VALIDATION_ERROR events[0].event'],
      [[{ ...good, tracking: '' }], '400 VALIDATION_ERROR events[0].tracking'],
      [undefined, '400 INVALID_PARAMS events'],
    ] as const) {
      expect(errorOf(await tell(events))).to.equal(error);
    }
  });

  shows('scout.viewability', async () => {
    const { status, body } = await read(`publisher_id=${market.publisherId}`);
    expect(status).to.equal(200);
    expect(body).to.deep.include({
      publisher_id: market.publisherId,
      dsp_id: null,
      creative_id: null,
      period: '24h',
      ...all,
    });
    expect(body.dsps).to.deep.equal([{ dsp_id: dspId, ...all }]);
    expect((await read(`publisher_id=${market.publisherId}&region=lon`)).body.measurable).to.equal(0);
    const timed = (await read(`publisher_id=${market.publisherId}&period=today&breakdown=time`)).body;
    const sums = timed.buckets.map(({ impressions, viewable }: Answer['body']) => [impressions, viewable]);
    expect(sums.reduce(([i, v]: number[], [one, other]: number[]) => [i! + one!, v! + other!], [0, 0])).to.deep.equal([
      6, 3,
    ]);
  });

  shows('scout.viewability.by', async () => {
    const { body } = await read(`dsp_id=${dspId}&period=7d`);
    const big = { impressions: 4, measurable: 3, viewable: 2, measurable_rate: 0.75, viewable_rate: 0.6667 };
    const small = { impressions: 2, measurable: 1, viewable: 1, measurable_rate: 0.5, viewable_rate: 1 };
    expect(body.creatives).to.deep.equal([
      { creative_id: 'big', ...big },
      { creative_id: 'small', ...small },
    ]);
    expect(body.publishers).to.deep.equal([{ publisher_id: market.publisherId, ...all }]);
    expect((await read(`dsp_id=${dspId}&creative_id=small`)).body).to.deep.include({ ...small, creatives: [] });
    expect((await read(`dsp_id=${dspId}&creative_id=none`)).body).to.include({ impressions: 0, viewable_rate: 0 });
    const both = `publisher_id=${market.publisherId}&dsp_id=${dspId}`;
    expect((await read(both)).body).to.deep.include({ ...all, dsps: [], publishers: [] });
    expect((await read(`publisher_id=${market.publisherId}&dsp_id=${ABSENT_ID}`)).body.impressions).to.equal(0);
  });

  shows('scout.viewability.400', async () => {
    expect(errorOf(await read(''))).to.equal('400 INVALID_PARAMS publisher_id');
    expect(errorOf(await read('creative_id=big'))).to.equal('400 INVALID_PARAMS publisher_id');
    expect(errorOf(await read(`publisher_id=${market.publisherId}&creative_id=big`))).to.equal(
      '400 INVALID_PARAMS creative_id',
    );
    expect(errorOf(await read('publisher_id=x'))).to.equal('400 INVALID_PARAMS publisher_id');
    expect(errorOf(await read(`publisher_id=${ABSENT_ID}`))).to.equal('404 NOT_FOUND');
    expect(errorOf(await read(`dsp_id=${ABSENT_ID}`))).to.equal('404 NOT_FOUND');
    expect(errorOf(await read(`dsp_id=${dspId}&period=2h`))).to.equal('400 INVALID_PARAMS period');
  });
});
