import { execFileSync } from 'node:child_process';
import { buildSync } from 'esbuild';
import type { Browser, Page, Request } from 'playwright-core';
import { BROWSER_USER_AGENT } from '../../support/browser.ts';
import type { PublisherSite, SiteFile } from '../../support/publisher-site.ts';

const FOLDER = 'integrations';
export const ADAPTER = `${FOLDER}/prebid-js/adexchangeBidAdapter`;

/** The modules beside the adapter that a publisher has. */
const MODULES = [
  'adexchangeBidAdapter',
  'bidViewabilityIO',
  'consentManagementGpp',
  'consentManagementTcf',
  'consentManagementUsp',
  'currency',
  'nativeRendering',
  'priceFloors',
  'pubProvidedIdSystem',
  'schain',
  'userId',
];

/** Puts the adapter into the installed package of Prebid.js, as publishers do. */
function installAdapter(): void {
  execFileSync(process.execPath, [`${FOLDER}/prebid-js/install.mjs`, `${FOLDER}/node_modules/prebid.js`]);
}

/** A script of a page that imports Prebid.js from its package, bundled as its README says. */
export function bundledScript(contents: string): SiteFile {
  installAdapter();
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: FOLDER },
    bundle: true,
    write: false,
    format: 'iife',
    logLevel: 'error',
  });
  return { type: 'text/javascript', body: Buffer.from(outputFiles[0]!.contents) };
}

/** Prebid.js with the adapter and what else a publisher has. */
export function prebidScript(): SiteFile {
  const imports = MODULES.map((module) => `import 'prebid.js/modules/${module}';`).join('\n');
  return bundledScript(`import pbjs from 'prebid.js';\n${imports}\npbjs.processQueue();`);
}

/** The publisher's own script: what its page does with Prebid.js, and what it heard of it. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>A page with ads</title><body><div id="place"></div>
<script src="/prebid.js"></script><script src="/player.js"></script><script>
  const heard = [];
  for (const name of ['bidResponse', 'bidRejected', 'bidTimeout', 'bidderError', 'bidWon', 'adRenderSucceeded', 'adRenderFailed'])
    pbjs.onEvent(name, () => heard.push(name));
  const auction = (adUnits, timeout) =>
    new Promise((done) => pbjs.requestBids({ adUnits, timeout, bidsBackHandler: (byUnit) =>
      done(Object.values(byUnit ?? {}).flatMap(({ bids }) => bids)) }));
  const show = (adId) => {
    const frame = Object.assign(document.createElement('iframe'), { width: 300, height: 250 });
    document.getElementById('place').append(frame);
    pbjs.renderAd(frame.contentDocument, adId);
  };
  const play = (element, vastTag) => fluidPlayer(element, {
    layoutControls: { autoPlay: true, mute: true },
    vastOptions: { adList: [{ roll: 'preRoll', vastTag }] },
  });
  const addPlayer = () => {
    document.getElementById('place').innerHTML =
      '<video id="player" width="640" height="360"><source src="/content.mp4" type="video/mp4"></video>';
  };
</script>`;

/** A bid as Prebid.js has it. */
export interface PrebidBid {
  readonly adId: string;
  readonly adUnitCode: string;
  readonly mediaType: string;
  readonly cpm: number;
  readonly currency: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever it has
  readonly [field: string]: any;
}

/** A publisher's page with Prebid.js, on another site than the exchange. */
export class PrebidPage {
  readonly page: Page;
  readonly requests: Request[] = [];
  /** What its console said. */
  readonly said: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on('request', (request) => this.requests.push(request));
    page.on('console', (message) => this.said.push(message.text()));
  }

  static async open(browser: Browser, site: PublisherSite): Promise<PrebidPage> {
    const page = await browser.newPage({ userAgent: BROWSER_USER_AGENT, viewport: { width: 800, height: 600 } });
    const opened = new PrebidPage(page);
    await page.goto(site.page('/article', PAGE));
    return opened;
  }

  /** Runs a script of the page. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the script answers
  run(script: string): Promise<any> {
    return this.page.evaluate(script);
  }

  configure(config: object): Promise<void> {
    return this.run(`pbjs.setConfig(${JSON.stringify(config)})`);
  }

  /** Holds an auction and resolves with the bids in it. `adUnits` may be a script's text, for units with functions. */
  auction(adUnits: readonly object[] | string, timeoutMs = 10_000): Promise<PrebidBid[]> {
    const units = typeof adUnits === 'string' ? adUnits : JSON.stringify(adUnits);
    // A bid has functions and what refers to itself, which are not carried out of the page.
    return this.run(`auction(${units}, ${timeoutMs}).then((bids) => JSON.parse(JSON.stringify(bids)))`);
  }

  /** Renders a bid in a frame, and resolves when Prebid.js says that it has. */
  async render({ adId }: PrebidBid): Promise<void> {
    const ended = "heard.filter((one) => one === 'adRenderSucceeded' || one === 'adRenderFailed')";
    const before: number = await this.run(`${ended}.length`);
    await this.run(`show(${JSON.stringify(adId)})`);
    await this.page.waitForFunction(`${ended}.length > ${before}`);
    const last = await this.run(`${ended}.at(-1)`);
    if (last !== 'adRenderSucceeded') throw new Error(`rendering failed: ${this.said.join('\n')}`);
  }

  heard(event: string): Promise<boolean> {
    return this.run(`heard.includes(${JSON.stringify(event)})`);
  }

  /** The calls that the page made to a path, whatever the query. */
  calls(path: string): Request[] {
    return this.requests.filter((request) => new URL(request.url()).pathname === path);
  }

  close(): Promise<void> {
    return this.page.close();
  }
}
