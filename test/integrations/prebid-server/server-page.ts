import { buildSync } from 'esbuild';
import type { Browser, Page, Request } from 'playwright-core';
import { BROWSER_USER_AGENT } from '../../support/browser.ts';
import type { PublisherSite, SiteFile } from '../../support/publisher-site.ts';

/** Prebid.js as it is published, with its own adapter for Prebid Server and none of a bidder: one script for pages. */
export function stockPrebidScript(): SiteFile {
  const modules = ['prebidServerBidAdapter', 'consentManagementTcf', 'nativeRendering', 'schain'];
  const imports = modules.map((module) => `import 'prebid.js/modules/${module}';`).join('\n');
  const { outputFiles } = buildSync({
    stdin: { contents: `import pbjs from 'prebid.js';\n${imports}\npbjs.processQueue();`, resolveDir: 'integrations' },
    bundle: true,
    write: false,
    format: 'iife',
    logLevel: 'error',
  });
  return { type: 'text/javascript', body: Buffer.from(outputFiles[0]!.contents) };
}

/** What a publisher's page does with Prebid.js. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>An article</title><body><div id="place"></div>
<script src="/prebid.js"></script><script>
  const ended = [], statuses = [];
  for (const name of ['adRenderSucceeded', 'adRenderFailed']) pbjs.onEvent(name, () => ended.push(name));
  pbjs.onEvent('pbsAnalytics', ({ seatnonbid }) => statuses.push(seatnonbid));
  const auction = (adUnits) => new Promise((done) => pbjs.requestBids({ adUnits, timeout: 10000, bidsBackHandler: (byUnit) =>
    done(Object.values(byUnit ?? {}).flatMap(({ bids }) => bids)) }));
  const show = (adId) => {
    const frame = Object.assign(document.createElement('iframe'), { width: 300, height: 250 });
    document.getElementById('place').append(frame);
    pbjs.renderAd(frame.contentDocument, adId);
  };
</script>`;

/** A bid as Prebid.js has it. */
export interface ServedBid {
  readonly adId: string;
  readonly adUnitCode: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever it has
  readonly [field: string]: any;
}

/** A publisher's page, on another site than the exchange, whose Prebid.js asks the exchange as a Prebid Server. */
export class ServerPage {
  readonly page: Page;
  readonly requests: Request[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on('request', (request) => this.requests.push(request));
  }

  /** `s2sConfig`: more of it than host, account and the bidder's code. */
  static async open(browser: Browser, site: PublisherSite, edgeUrl: string, s2sConfig: object): Promise<ServerPage> {
    const opened = new ServerPage(
      await browser.newPage({ userAgent: BROWSER_USER_AGENT, viewport: { width: 800, height: 600 } }),
    );
    await opened.page.goto(site.page('/article', PAGE));
    const config = {
      s2sConfig: {
        enabled: true,
        bidders: ['adexchange'],
        endpoint: `${edgeUrl}/openrtb2/auction`,
        syncEndpoint: `${edgeUrl}/cookie_sync`,
        timeout: 5_000,
        ...s2sConfig,
      },
      userSync: { syncsPerBidder: 5, syncDelay: 0 },
    };
    await opened.run(`pbjs.setConfig(${JSON.stringify(config)})`);
    return opened;
  }

  /** Runs a script of the page. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the script answers
  run(script: string): Promise<any> {
    return this.page.evaluate(script);
  }

  auction(adUnits: readonly object[]): Promise<ServedBid[]> {
    // A bid has functions and what refers to itself, which are not carried out of the page.
    return this.run(`auction(${JSON.stringify(adUnits)}).then((bids) => JSON.parse(JSON.stringify(bids)))`);
  }

  /** Renders a bid in a frame, and resolves with what Prebid.js says of it. */
  async render({ adId }: ServedBid): Promise<string> {
    const before: number = await this.run('ended.length');
    await this.run(`show(${JSON.stringify(adId)})`);
    await this.page.waitForFunction(`ended.length > ${before}`);
    return this.run('ended.at(-1)');
  }

  /** The calls that the page and its frames made to a path, whatever the query. */
  calls(path: string): Request[] {
    return this.requests.filter((request) => new URL(request.url()).pathname === path);
  }

  close(): Promise<void> {
    return this.page.close();
  }
}
