import { VASTClient, VASTTracker } from '@dailymotion/vast-client';
import { expect } from 'chai';
import { againstExchange } from '../specification/against-exchange.ts';
import { platformMetric } from '../specification/facts.ts';
import type { Market } from '../specification/market.ts';
import { bids } from '../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { type PublisherSite, startPublisherSite } from '../support/publisher-site.ts';
import { linearVast } from './media.ts';

const NO_SIZE = { w: undefined, h: undefined };
/** The spot's trackers and each wrapper's. */
const SPOT = '/tracked/spot/';

/** A VAST parser that others play by: what it makes of our documents is what their viewers get. */
againstExchange('a VAST parser', (exchange) => {
  let site: PublisherSite;
  let market: Market;
  before(async () => {
    site = await startPublisherSite();
    market = await exchange.market({ bidders: [{ script: bids({ price: 4 }) }] });
  });
  after(() => site.close());

  const spot = () =>
    linearVast({
      mediaUrl: `${site.origin}/ad.mp4`,
      mediaType: 'video/mp4',
      duration: '00:00:30',
      trackers: `${site.origin}${SPOT}`,
    });
  const wrapper = (level: number, next: string) => `<VAST version="3.0"><Ad id="w${level}"><Wrapper>
    <AdSystem>a bidder</AdSystem><VASTAdTagURI><![CDATA[${site.origin}${next}]]></VASTAdTagURI>
    <Impression><![CDATA[${site.origin}/tracked/w${level}/impression]]></Impression>
    <Creatives><Creative><Linear><TrackingEvents>
    <Tracking event="complete"><![CDATA[${site.origin}/tracked/w${level}/complete]]></Tracking>
    </TrackingEvents></Linear></Creative></Creatives></Wrapper></Ad></VAST>`;

  type Seen = 'viewable' | 'notViewable';

  /** Gets the ad, plays it to its end as a player would, in view or not, and has every tracker called. */
  async function play(crid: string, adm: string, seen: Seen = 'viewable'): Promise<void> {
    market.bidders[0]!.script = bids({ price: 4, adm, crid, ...NO_SIZE });
    const query = new URLSearchParams({ site_id: market.publisherId, secure: '0', ua: BROWSER_USER_AGENT });
    const { ads } = await new VASTClient().get(`${exchange.running.edgeUrl}/vast?${query}`, { allowMultipleAds: true });
    expect(ads).to.have.length(1);
    const [ad] = ads;
    const linear = ad.creatives.find(({ type }: { type: string }) => type === 'linear');
    expect(linear.duration).to.equal(30);
    expect(linear.mediaFiles.map(({ fileURL }: { fileURL: string }) => fileURL)).to.deep.equal([
      `${site.origin}/ad.mp4`,
    ]);
    const ours = ad.impressionURLTemplates.filter(({ url }: { url: string }) => url.includes('/track/impression?'));
    expect(ours).to.have.length(1);
    const tracker = new VASTTracker(null, ad, linear);
    const urls: string[] = [];
    for (const event of ['start', 'complete', 'viewable', 'notViewable']) {
      tracker.on(event, (told: { trackingURLTemplates: readonly (string | { url: string })[] }) => {
        urls.push(...told.trackingURLTemplates.map((url) => (typeof url === 'string' ? url : url.url)));
      });
    }
    tracker.setProgress(1);
    if (seen === 'viewable') tracker.trackViewableImpression();
    else tracker.trackNotViewableImpression();
    tracker.complete();
    // The library calls trackers by an image of the page, which there is none of here.
    const impressions = ad.impressionURLTemplates.map(({ url }: { url: string }) => url);
    for (const url of [...impressions, ...urls]) await (await fetch(url)).arrayBuffer();
  }

  const creatives = async () =>
    (await exchange.get(`/api/demand/sources/${market.bidders[0]!.dspId}/stats?breakdown=creative&period=1h`)).body
      .creatives as { creative_id: string; impressions: number }[];
  const booked = (crid: string) =>
    eventually('the ledger to show the impression', async () =>
      (await creatives()).some(({ creative_id: id, impressions }) => id === crid && impressions === 1),
    );

  it('reads an inline ad with the bidder’s trackers and ours', async () => {
    await play('inline', spot());
    await booked('inline');
    expect(['impression', 'start', 'complete'].map((event) => site.hits(`${SPOT}${event}`))).to.deep.equal([1, 1, 1]);
  });

  it('follows a bidder’s wrappers to the ad, and calls the trackers of every level once, ours among them', async () => {
    const before = site.hits(`${SPOT}impression`);
    site.files.set('/second', { type: 'application/xml', body: wrapper(2, '/inline') });
    site.files.set('/inline', { type: 'application/xml', body: spot() });
    await play('wrapped', wrapper(1, '/second'));
    await booked('wrapped');
    for (const level of [1, 2]) {
      for (const event of ['impression', 'complete']) {
        expect(site.hits(`/tracked/w${level}/${event}`), `${event} of wrapper ${level}`).to.equal(1);
      }
    }
    expect(site.hits(`${SPOT}impression`)).to.equal(before + 1);
    expect(await platformMetric(exchange, 'exchange_impression_calls_total', 'outcome="repeated"')).to.equal(0);
  });

  it('tells of a VAST 4 what was seen, to the bidder and to us, through a wrapper, too', async () => {
    const views = (of: string) =>
      `<ViewableImpression><Viewable><![CDATA[${site.origin}/tracked/${of}/viewable]]></Viewable></ViewableImpression>`;
    const in4 = (vast: string, of: string) =>
      vast.replace('version="3.0"', 'version="4.1"').replace('</Impression>', `</Impression>${views(of)}`);
    site.files.set('/spot-of-4', { type: 'application/xml', body: in4(spot(), 'spot4') });
    const wrapped = in4(wrapper(4, '/spot-of-4'), 'wrapper4');
    await play('seen', wrapped);
    await play('unseen', wrapped, 'notViewable');
    await play('of-3', spot());
    const viewability = async (crid: string) => {
      const query = `dsp_id=${market.bidders[0]!.dspId}&creative_id=${crid}&period=1h`;
      const { impressions, measurable, viewable } = (await exchange.get(`/api/scout/viewability?${query}`)).body;
      return [impressions, measurable, viewable].join(' ');
    };
    await eventually('what was seen to be in the books', async () => (await viewability('seen')) === '1 1 1');
    await eventually('what was not, too', async () => (await viewability('unseen')) === '1 1 0');
    await eventually('what cannot be told, too', async () => (await viewability('of-3')) === '1 0 0');
    for (const ad of ['spot4', 'wrapper4']) expect(site.hits(`/tracked/${ad}/viewable`), ad).to.equal(1);
  });
});
