import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, callJson } from '../support/exchange.ts';
import { ABSENT_ID, againstExchange, errorOf, TIMESTAMP } from './against-exchange.ts';
import type { Market } from './market.ts';
import { shows } from './shows.ts';

const SALES = 120;
/** As a buyer's polling goes: far fewer at once than there are. */
const AT_ONCE = 7;
const PRICE = 2.512345;
const PRICE_CPM_MICROS = 2_512_345;

// biome-ignore lint/suspicious/noExplicitAny: whatever the feed answers
type FeedEvent = any;

againstExchange(
  'the feed of a demand source',
  (exchange) => {
    let market: Market;
    let dspId: string;
    let otherId: string;
    const page = (query: string, id = dspId): Promise<Answer> => exchange.get(`/api/dsp/${id}/feed?${query}`);
    /** All that is there, read to its end. */
    const readAll = async (limit: number, more = '', id = dspId): Promise<FeedEvent[]> => {
      const events: FeedEvent[] = [];
      let cursor = '';
      for (;;) {
        const { status, body } = await page(`limit=${limit}${more}${cursor}`, id);
        expect(status, JSON.stringify(body)).to.equal(200);
        expect(body.events).to.have.length.of.at.most(limit);
        events.push(...body.events);
        cursor = `&cursor=${body.next_cursor}`;
        if (!body.has_more) return events;
      }
    };

    /** What a reader saw that polled while it was all happening. */
    const polled: FeedEvent[] = [];
    const sold: string[] = [];
    let shown = 0;

    before(async () => {
      const script = bids({ price: PRICE, crid: 'creative 1' });
      market = await exchange.market({ bidders: [{ script }, { script: bids({ price: 0.01 }) }] });
      dspId = market.bidders[0]!.dspId;
      otherId = market.bidders[1]!.dspId;
      const before = market.answers.length;

      const selling = (async () => {
        for (let sale = 0; sale < SALES; sale += 4) {
          const bidsWon = await Promise.all(Array.from({ length: 4 }, () => market.bid()));
          for (const [index, { burl }] of bidsWon.entries()) {
            sold.push(burl);
            // Every third is never rendered; every fourth is called for twice.
            if ((sale + index) % 3 === 0) continue;
            shown += 1;
            for (let call = 0; call < ((sale + index) % 4 === 0 ? 2 : 1); call++) {
              expect((await callJson('GET', burl)).status).to.equal(200);
            }
          }
        }
      })();
      let cursor = '';
      let impressions = 0;
      let wins = 0;
      // Sold while the market was opened, too.
      const opening = market.answers.slice(0, before).filter(({ answer }) => answer.status === 200).length;
      await eventually(
        'a polling reader to have seen everything',
        async () => {
          const { status, body } = await page(`limit=${AT_ONCE}${cursor}`);
          expect(status, JSON.stringify(body)).to.equal(200);
          polled.push(...body.events);
          cursor = `&cursor=${body.next_cursor}`;
          for (const { type } of body.events) {
            if (type === 'win') wins += 1;
            else impressions += 1;
          }
          return sold.length === SALES && impressions >= shown && wins >= SALES + opening && !body.has_more;
        },
        { timeoutMs: 90_000, everyMs: 50 },
      );
      await selling;
    });

    shows('feed.200', () => {
      for (const event of polled) {
        expect(event.at).to.match(TIMESTAMP);
        expect(event.sold_at).to.match(TIMESTAMP);
        expect(event).to.include({ publisher_id: market.publisherId, campaign_id: null, creative_id: 'creative 1' });
        expect(event).to.include({ price_cpm_micros: PRICE_CPM_MICROS, region: 'fra', sandbox: false });
        expect(event.id).to.equal(`${event.type}_${event.tracking_id}`);
        if (event.type === 'win') expect(event.imp_id).to.equal('1');
        else expect(event).to.include({ cost_micros: PRICE_CPM_MICROS / 1000, billed_at: event.at });
      }
    });

    shows('feed.cursor', async () => {
      const inOrder = polled.map(({ at, id }) => `${at} ${id}`);
      expect(inOrder, 'in the order of the log').to.deep.equal([...inOrder].sort());
      expect(new Set(polled.map(({ id }) => id)).size, 'each once').to.equal(polled.length);
      expect(polled.filter(({ type }) => type === 'impression')).to.have.length(shown);
      const won = new Set(polled.filter(({ type }) => type === 'win').map((event) => event.tracking_id));
      for (const burl of sold) {
        expect(won.has(trackingIdOf(burl)), 'each win').to.equal(true);
      }
      expect(await readAll(1_000), 'whoever reads it later, at once, reads the same').to.deep.equal(polled);
      const wins = polled.filter(({ type }) => type === 'win');
      expect(await readAll(9, '&type=win')).to.deep.equal(wins);
      expect(await readAll(9, '', otherId), 'of another demand source').to.be.empty;
    });

    shows('feed.money', async () => {
      const cost = polled.reduce(
        (nanos, event) => nanos + (event.type === 'impression' ? event.price_cpm_micros : 0),
        0,
      );
      expect(cost).to.equal(shown * PRICE_CPM_MICROS);
      await eventually('the same in the books', async () => {
        const { body } = await exchange.get(`/api/demand/sources/${dspId}/stats`);
        return body.impressions === shown && Math.round(body.spend_cents * 1e4) === Math.round(cost / 1000);
      });
    });

    shows('feed.400', async () => {
      const cursor = (await page('limit=1')).body.next_cursor as string;
      const long = Buffer.from(`${dspId}:live 1000000000000 `).toString('base64url');
      const flushed = Buffer.from(`${dspId}:sandbox.3 ${Date.now()} `).toString('base64url');
      for (const wrong of ['x', '%00', cursor.slice(1), `${cursor}A`, `${cursor}=`, long, flushed]) {
        expect(errorOf(await page(`cursor=${wrong}`)), wrong).to.equal('400 INVALID_PARAMS cursor');
      }
      expect((await page(`cursor=${long}`)).body.error.message).to.contain('older than what is kept');
      expect((await page(`cursor=${flushed}`)).body.error.message).to.contain('begin without one');
      expect(errorOf(await page(`cursor=${cursor}`, otherId))).to.equal('400 INVALID_PARAMS cursor');
      for (const wrong of ['limit=0', 'limit=5001', 'limit=x', 'type=loss', 'cursor=']) {
        expect(errorOf(await page(wrong)), wrong).to.match(/^400 INVALID_PARAMS /);
      }
      expect(errorOf(await page('', ABSENT_ID))).to.equal('404 NOT_FOUND');
      expect(errorOf(await page('', 'no-id'))).to.equal('404 NOT_FOUND');
    });

    describe('of one that goes without', () => {
      let unfed: string;
      let events: FeedEvent[];
      before(async () => {
        const quiet = await exchange.market({ bidders: [{ script: bids({ price: 1 }), dsp: { event_feed: false } }] });
        const id = quiet.bidders[0]!.dspId;
        const { burl } = await quiet.bid();
        expect((await callJson('GET', burl)).status).to.equal(200);
        unfed = trackingIdOf(burl);
        expect((await exchange.call('PUT', `/api/demand/sources/${id}`, { event_feed: true })).status).to.equal(200);
        events = await eventually(
          'what happens from then on',
          async () => {
            await callJson('GET', (await quiet.bid()).burl);
            const { body } = await page('', id);
            return body.events.some(({ type }: FeedEvent) => type === 'impression') && body.events;
          },
          { timeoutMs: 60_000, everyMs: 500 },
        );
      });

      shows('feed.off', () => {
        expect(events.map((event) => event.tracking_id)).to.not.include(unfed);
      });
    });
  },
  { pairs: ['embedded', 'redis-mongodb'] },
);

function trackingIdOf(burl: string): string {
  return new URL(burl).searchParams.get('t')!.split('.')[1]!;
}
