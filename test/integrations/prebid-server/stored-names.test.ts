import { expect } from 'chai';
import { againstExchange } from '../../specification/against-exchange.ts';
import type { Market } from '../../specification/market.ts';
import { bids } from '../../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';

/** What a publisher stores by the API, as AMP pages and apps name it at the edge. */
againstExchange('what publishers store for clients of Prebid Server', (exchange) => {
  let sold: Market;
  before(async () => {
    sold = await exchange.market({ bidders: [{ script: bids({ price: 1.5 }) }] });
  });

  const stored = (kind: 'requests' | 'imps', name: string) =>
    `/api/supply/sources/${sold.publisherId}/stored-${kind}/${name}`;
  const put = async (path: string, document: object) =>
    expect((await exchange.call('PUT', path, document)).status).to.equal(200);
  const amp = () =>
    fetch(`${exchange.running.edgeUrl}/openrtb2/amp?tag_id=article&account=${sold.publisherId}`, {
      headers: { 'user-agent': BROWSER_USER_AGENT },
    });

  it('is auctioned at the edge, its bid cached, billed once when rendered, and gone once it is deleted', async () => {
    await put(stored('imps', 'slot'), { banner: { format: [{ w: 300, h: 250 }] } });
    await put(stored('requests', 'article'), {
      imp: [{ id: '1', ext: { prebid: { storedrequest: { id: 'slot' } } } }],
    });
    await eventually('the edge to know it', async () => (await amp()).status === 200);
    // biome-ignore lint/suspicious/noExplicitAny: whatever was answered
    const { targeting } = (await (await amp()).json()) as any;
    expect(targeting).to.include({ hb_pb: '1.50', hb_size: '300x250', hb_env: 'amp' });
    const cached = await fetch(
      `http://${targeting.hb_cache_host}${targeting.hb_cache_path}?uuid=${targeting.hb_cache_id}`,
    );
    const { adm } = (await cached.json()) as { adm: string };
    const pixel = /src="([^"]+)"/.exec(adm)![1]!.replaceAll('&amp;', '&');
    for (let call = 0; call < 2; call++) await fetch(pixel, { headers: { 'user-agent': BROWSER_USER_AGENT } });
    const stats = () => exchange.get(`/api/supply/sources/${sold.publisherId}/stats?period=1h`);
    await eventually('the books to have it', async () => (await stats()).body.impressions > 0);
    expect((await stats()).body).to.include({ impressions: 1, revenue_cents: 0.15 });

    expect((await exchange.call('DELETE', stored('requests', 'article'))).status).to.equal(200);
    await eventually('the edge to forget it', async () => (await amp()).status === 400);
  });
});
