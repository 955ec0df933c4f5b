import { expect } from 'chai';
import { type NearestRegion, nearestRegion, type RegionEdges } from '#gateways/edge/tags/tag-js/nearest-region';
import { VirtualClock } from '#test/support/virtual-clock';

const SERVED = 'https://ads.example/';
const REGIONS: readonly RegionEdges[] = [
  ['fra', 'https://fra.example/'],
  ['nyc', 'https://nyc.example/'],
  ['lon', 'https://lon.example/'],
];
const KEY = `adExchange.regions ${SERVED}`;
const DAY_MS = 86_400_000;
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Edges that answer after a time, or not at all, and the page that asks them; no time passes but the clock's. */
class Page {
  readonly clock = new VirtualClock();
  readonly stored = new Map<string, string>();
  /** ms until each edge answers, the trip that opens a connection apart; `down` refuses and `silent` never answers. */
  readonly edges: Record<string, number | 'down' | 'silent' | 404> = {
    [SERVED]: 20,
    'https://fra.example/': 20,
    'https://nyc.example/': 90,
    'https://lon.example/': 50,
  };
  /** ms that the first request to an edge takes more. */
  readonly connectMs: Record<string, number> = {};
  /** ms of each of the requests to an edge, in place of what `edges` says. */
  readonly trips: Record<string, number[]> = {};
  /** URLs in the order in which they were asked. */
  readonly asked: string[] = [];
  readonly credentials = new Set<string | undefined>();
  readonly idle: (() => void)[] = [];
  storageThrows = false;

  regions(served = SERVED, regions = REGIONS): NearestRegion {
    const { clock, stored } = this;
    const used = <T>(use: () => T): T => {
      if (this.storageThrows) throw new Error('SecurityError');
      return use();
    };
    return nearestRegion(served, regions, {
      fetch: (url, init) => this.#answer(url, init),
      monotonic: () => clock.monotonic(),
      now: () => clock.now(),
      after: (ms, fire) => clock.after(ms, fire),
      whenIdle: (fire) => void this.idle.push(fire),
      storage: () => ({
        getItem: (key) => used(() => stored.get(key) ?? null),
        setItem: (key, value) => used(() => void stored.set(key, value)),
        removeItem: (key) => used(() => void stored.delete(key)),
      }),
    });
  }

  /** Resolves as the promise does, after as much time as that takes. */
  async passing<T>(pending: Promise<T>): Promise<T> {
    let isSettled = false;
    const done = () => {
      isSettled = true;
    };
    pending.then(done, done);
    for (let steps = 0; !isSettled && steps < 20_000; steps++) {
      await settled();
      if (!isSettled) this.clock.advance(1);
    }
    return pending;
  }

  /** An ad request; answers the host that answered. */
  async ad(regions: NearestRegion, mayStore = true): Promise<string> {
    const { edgeUrl } = await this.passing(regions.fetch('ad?x=1', { credentials: 'include' }, mayStore));
    regions.measure(mayStore);
    return new URL(edgeUrl).host;
  }

  /** Lets the page be idle for 20 s. */
  async rest(): Promise<void> {
    for (const run of this.idle.splice(0)) run();
    for (let ms = 0; ms < 20_000; ms += 10) {
      await settled();
      this.clock.advance(10);
    }
  }

  pings(): number {
    return this.asked.filter((url) => url.endsWith('/ping')).length;
  }

  #answer(url: string, init: RequestInit): Promise<Response> {
    const edge = new URL('.', url).href;
    const isFirst = !this.asked.some((before) => before.startsWith(edge));
    this.asked.push(url);
    if (url.endsWith('/ping')) this.credentials.add(init.credentials);
    const answers = this.edges[edge]!;
    return new Promise((resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
      if (answers === 'silent') return;
      if (answers === 'down') {
        reject(new TypeError('Failed to fetch'));
        return;
      }
      const status = answers === 404 ? 404 : 204;
      const ms =
        this.trips[edge]?.shift() ?? (answers === 404 ? 1 : answers) + (isFirst ? (this.connectMs[edge] ?? 0) : 0);
      this.clock.after(ms, () => resolve(new Response(null, { status })));
    });
  }
}

describe('gateways/edge/tags/tag-js/nearest-region', () => {
  let page: Page;
  beforeEach(() => {
    page = new Page();
  });

  it('sends the first request to the edge that served the tag and measures nothing before its answer', async () => {
    const regions = page.regions();
    expect(await page.ad(regions)).to.equal('ads.example');
    expect(page.asked).to.deep.equal([`${SERVED}ad?x=1`]);
    expect(page.idle).to.have.length(1);
  });

  it('sends the requests after the measurement to the region with the smallest round trip', async () => {
    page.edges['https://nyc.example/'] = 5;
    const regions = page.regions();
    await page.ad(regions);
    await page.rest();
    expect(await page.ad(regions)).to.equal('nyc.example');
    expect(page.pings()).to.equal(12);
    expect([...page.credentials]).to.deep.equal(['omit']);
  });

  it('counts neither the trip that opens a connection nor one slow trip of three', async () => {
    page.connectMs['https://lon.example/'] = 1_000;
    page.trips['https://lon.example/'] = [900, 10, 800, 10];
    const regions = page.regions();
    await page.ad(regions);
    await page.rest();
    expect(await page.ad(regions)).to.equal('lon.example');
  });

  it('measures once for a page, however many ads it has', async () => {
    const regions = page.regions();
    for (let ad = 0; ad < 3; ad++) {
      await page.ad(regions);
      await page.rest();
    }
    expect(page.pings()).to.equal(12);
  });

  it('remembers the order for a day, for the first request of later pages too', async () => {
    page.edges['https://nyc.example/'] = 5;
    await page.ad(page.regions());
    await page.rest();
    const pings = page.pings();
    expect(await page.ad(page.regions())).to.equal('nyc.example');
    await page.rest();
    expect(page.pings()).to.equal(pings);

    page.clock.advance(DAY_MS);
    expect(await page.ad(page.regions())).to.equal('ads.example');
    await page.rest();
    expect(page.pings()).to.equal(2 * pings);
  });

  it('keeps the codes of the regions and a time, and nothing else', async () => {
    await page.ad(page.regions());
    await page.rest();
    expect([...page.stored.keys()]).to.deep.equal([KEY]);
    expect(page.stored.get(KEY)).to.match(/^fra,lon,nyc \d{13}$/);
  });

  it('stores nothing and removes what is there, unread, where the viewer’s choices forbid it', async () => {
    page.stored.set(KEY, `nyc ${page.clock.now() + 1_000}`);
    const regions = page.regions();
    expect(await page.ad(regions, false)).to.equal('ads.example');
    await page.rest();
    expect(page.stored.size).to.equal(0);
    expect(await page.ad(regions, false)).to.equal('fra.example');
  });

  it('holds what was measured for the page where storage throws', async () => {
    page.storageThrows = true;
    const regions = page.regions();
    expect(await page.ad(regions)).to.equal('ads.example');
    await page.rest();
    expect(await page.ad(regions)).to.equal('fra.example');
  });

  for (const stored of ['', 'nyc', 'par,rom 99999999999999', 'nyc soon', `nyc ${Date.now() + 3 * DAY_MS}`, ' 1']) {
    it(`measures again where ${JSON.stringify(stored)} is stored`, async () => {
      page.stored.set(KEY, stored);
      expect(await page.ad(page.regions())).to.equal('ads.example');
      await page.rest();
      expect(page.pings()).to.equal(12);
    });
  }

  it('requests the ad of the next nearest region when one refuses, and stays there', async () => {
    const regions = page.regions();
    await page.ad(regions);
    await page.rest();
    page.edges['https://fra.example/'] = 'down';
    expect(await page.ad(regions)).to.equal('lon.example');
    const asked = page.asked.length;
    expect(await page.ad(regions)).to.equal('lon.example');
    expect(page.asked.slice(asked)).to.deep.equal(['https://lon.example/ad?x=1']);
    expect(page.stored.size, 'what is stored').to.equal(0);
  });

  it('requests the ad of the next nearest region when one is silent for 3 s', async () => {
    const regions = page.regions();
    await page.ad(regions);
    await page.rest();
    page.edges['https://fra.example/'] = 'silent';
    const startedMs = page.clock.monotonic();
    expect(await page.ad(regions)).to.equal('lon.example');
    expect(page.clock.monotonic() - startedMs).to.be.within(3_050, 3_100);
  });

  it('requests the first ad of another region when the one that served the tag does not answer', async () => {
    page.edges[SERVED] = 'down';
    expect(await page.ad(page.regions())).to.equal('fra.example');
  });

  it('takes a refusal for an answer: no other region is asked', async () => {
    page.edges[SERVED] = 404;
    expect(await page.ad(page.regions())).to.equal('ads.example');
    expect(page.asked).to.have.length(1);
  });

  it('rejects as the last region does when none answers, each asked once', async () => {
    for (const edge of Object.keys(page.edges)) page.edges[edge] = 'down';
    const error = await page.ad(page.regions()).catch((rejected: Error) => rejected.message);
    expect(error).to.equal('Failed to fetch');
    expect(new Set(page.asked).size).to.equal(4);
    expect(page.asked).to.have.length(4);
  });

  it('chooses no region whose edges do not answer pings, whether refusing, silent or of an older release', async () => {
    for (const failing of ['down', 'silent', 404] as const) {
      page = new Page();
      page.edges['https://fra.example/'] = failing;
      const regions = page.regions();
      await page.ad(regions);
      await page.rest();
      expect(await page.ad(regions), String(failing)).to.equal('lon.example');
      expect(page.stored.get(KEY), String(failing)).to.match(/^lon,nyc /);
    }
  });

  it('keeps to the edge that served the tag where no region answers pings', async () => {
    for (const [, url] of REGIONS) page.edges[url] = 'silent';
    const regions = page.regions();
    await page.ad(regions);
    await page.rest();
    expect(await page.ad(regions)).to.equal('ads.example');
    expect(page.stored.size).to.equal(0);
  });

  it('measures and stores nothing, and tries no other edge, without two regions', async () => {
    for (const regions of [[], REGIONS.slice(0, 1)]) {
      page = new Page();
      const only = page.regions('https://fra.example/', regions);
      expect(await page.ad(only)).to.equal('fra.example');
      expect([page.idle.length, page.stored.size]).to.deep.equal([0, 0]);
      page.edges['https://fra.example/'] = 'down';
      await page.ad(only).catch(() => undefined);
      expect(page.asked).to.have.length(2);
    }
  });
});
