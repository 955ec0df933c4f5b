import { createHash } from 'node:crypto';
import { AuctionCreatives } from '#edge/creatives/auction-creatives';
import { CreativeCatalogue } from '#edge/creatives/creative-catalogue';
import type { ApiKeyProjection } from '../../actors/api-key/projection.ts';
import { assetId } from '../../actors/asset/asset-id.ts';
import type { AssetProjection } from '../../actors/asset/projection.ts';
import type { AuctionRecord } from '../../actors/auction-record/record.ts';
import type { DspProjection } from '../../actors/dsp/fields.ts';
import type { PoolProjection } from '../../actors/pool/fields.ts';
import type { PublisherProjection } from '../../actors/publisher/fields.ts';
import type { SoldImp } from '../../edge/auction/sold-imp.ts';
import { type EdgeBudgets, UNLIMITED_BUDGETS } from '../../edge/budgets/edge-budgets.ts';
import type { UnrenderedShares } from '../../edge/budgets/shares/unrendered-shares.ts';
import { DelegateCatalogue } from '../../edge/catalogue/delegate-catalogue.ts';
import { CurrentRates } from '../../edge/currency/current-rates.ts';
import { Facts } from '../../edge/facts/facts.ts';
import { AuctionRecorder } from '../../edge/recording/auction-recorder.ts';
import { RequestScreening } from '../../edge/screening/screen-request.ts';
import { DEFAULT_SCREENING_SETTINGS, type ScreeningSettings } from '../../edge/screening/settings.ts';
import { Viewers } from '../../edge/viewer/viewers.ts';
import { Bidders } from '../../gateways/bidders/bidders.ts';
import { MarkupFetcher } from '../../gateways/bidders/markup-fetcher.ts';
import { Notices } from '../../gateways/bidders/notices/notices.ts';
import { DEFAULT_NOTICE_SETTINGS } from '../../gateways/bidders/notices/settings.ts';
import type { CreativeStorage } from '../../gateways/creatives/storage/creative-storage.ts';
import type { EdgeDeps, TrackingEndpoints } from '../../gateways/edge/deps.ts';
import { createEdge, type Edge } from '../../gateways/edge/edge.ts';
import { DEFAULT_EDGE_SETTINGS, type EdgeSettings } from '../../gateways/edge/settings.ts';
import { LogUnavailable, Overloaded } from '../../runtime/actor/errors.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import { TextTable } from '../../runtime/expiring/text-table.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../runtime/providers/system/system-random.ts';
import { type Script, type ScriptedBidder, startBidder } from './bidder.ts';
import { BROWSER_USER_AGENT } from './browser.ts';
import { InMemoryFrequencyCaps, ManualPace } from './campaign-limits.ts';
import { type CampaignFields, makeCampaignProjection } from './campaign-projection.ts';
import { makeDspProjection } from './dsp-projection.ts';
import { MemoryReplica } from './memory-replica.ts';
import { steadyDeadlines } from './steady-clock.ts';

const SECRET_KEY = 'a secret that only this test knows';

/** One message that the edge has sent: address, type, body. */
export interface ToldMessage {
  readonly kind: string;
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever was told
  readonly body: any;
}

/**
 * An edge on a loopback port with a catalogue that the test writes: one pool and one live publisher, without demand at
 * first.
 */
export class EdgeUnderTest {
  readonly replica = new MemoryReplica();
  readonly toldMessages: ToldMessage[] = [];
  /** The logged warnings and errors. */
  readonly logged: { readonly fields: object; readonly message: string }[] = [];
  /** The storage of creatives' files; empty. */
  creatives: Pick<CreativeStorage, 'open'> = { open: async () => null };
  /** The texts of the cache of Prebid Server's clients. */
  readonly texts = new TextTable(systemClock);
  /** While true, every message fails with LogUnavailable. */
  isLogUnavailable = false;
  /** While true, no message is taken: the log is overloaded, and the message certainly not sent. */
  refuseTells = false;
  readonly notices: Notices;
  readonly facts: Facts;
  /** Records all auctions, up to 1,000 per second. */
  readonly explorer: AuctionRecorder;
  readonly delegates: DelegateCatalogue;
  readonly creativeCatalogue: CreativeCatalogue;
  readonly auctionCreatives: AuctionCreatives;
  readonly pace = new ManualPace();
  /** The budgets of the edge; without limit unless a test replaces them. */
  budgets: EdgeBudgets = UNLIMITED_BUDGETS;
  /** The limit of what a publisher may hold of budgets unrendered; undefined: none. */
  shares: UnrenderedShares | undefined;
  readonly caps = new InMemoryFrequencyCaps();
  /** Every imp that was sold. */
  readonly sold: SoldImp[] = [];
  /** The collaborators of `edge`. */
  readonly deps: EdgeDeps;
  readonly edge: Edge;
  origin = '';
  readonly #bidders: ScriptedBidder[] = [];
  readonly #bidderCalls: Bidders;
  readonly #winnerMarkup: MarkupFetcher;
  readonly #viewers: Viewers;

  constructor(
    settings: Partial<EdgeSettings> = {},
    tracking: TrackingEndpoints = ACCEPTS_ALL,
    screening: Partial<ScreeningSettings> = {},
    clock: Clock = steadyDeadlines,
    newCreativesPerDay = 10_000,
  ) {
    requestsMade = 0;
    this.notices = new Notices({ ...DEFAULT_NOTICE_SETTINGS, allowPrivateNetworks: true }, systemClock);
    const messenger: Messenger = {
      tell: async (kind, id, _type, body) => {
        if (this.refuseTells) throw new Overloaded('too many messages are under way');
        if (this.isLogUnavailable) throw new LogUnavailable('the log is away');
        this.toldMessages.push({ kind: kind.kind, id, body });
      },
      ask: () => Promise.reject(new Error('an edge asks nobody')),
    };
    this.facts = new Facts({ messenger, replica: this.replica, clock: systemClock, region: 'fra' });
    this.explorer = new AuctionRecorder({
      messenger,
      clock: systemClock,
      random: systemRandom,
      region: 'fra',
      edge: 'fra-1',
      perSecond: 1_000,
      blockedCategories: DEFAULT_EDGE_SETTINGS.blockedCategories,
    });
    this.delegates = new DelegateCatalogue(this.replica, systemClock);
    this.creativeCatalogue = new CreativeCatalogue(this.replica, systemClock);
    const log = (fields: object, message: string) => void this.logged.push({ fields, message });
    const bidderSettings = { ...DEFAULT_EDGE_SETTINGS.bidders, allowPrivateNetworks: true, ...settings.bidders };
    const publicCreativesUrl = settings.publicCreativesUrl ?? 'https://edge.test';
    const calling = { ...bidderSettings, creativesUrl: publicCreativesUrl };
    this.#bidderCalls = new Bidders(this.replica, calling, clock, () => systemRandom.next());
    this.#winnerMarkup = new MarkupFetcher(bidderSettings, clock);
    this.#viewers = new Viewers(
      { privacy: DEFAULT_EDGE_SETTINGS.privacy, secretKey: SECRET_KEY, ...settings },
      this.replica,
      systemClock,
    );
    this.auctionCreatives = new AuctionCreatives({
      catalogue: this.creativeCatalogue,
      replica: this.replica,
      messenger,
      files: { open: (sha256) => this.creatives.open(sha256) },
      publicCreativesUrl,
      newPerDay: newCreativesPerDay,
      clock,
      random: () => systemRandom.next(),
      logger: { debug: () => undefined, info: () => undefined, warn: log, error: log },
    });
    this.deps = {
      replica: this.replica,
      currencyRates: new CurrentRates(this.replica, systemClock, 7 * 86_400_000),
      facts: this.facts,
      recorder: this.explorer,
      wins: { add: (sold) => void this.sold.push(...sold) },
      notices: this.notices,
      bidders: this.#bidderCalls,
      winnerMarkup: this.#winnerMarkup,
      screening: new RequestScreening(
        { ...DEFAULT_SCREENING_SETTINGS, allowPrivateNetworks: true, ...screening },
        systemClock,
      ),
      delegates: { catalogue: this.delegates, pace: this.pace, caps: this.caps },
      auctionCreatives: this.auctionCreatives,
      budgets: {
        reserve: (...sale) => this.budgets.reserve(...sale),
        release: (...sale) => this.budgets.release(...sale),
        available: (...bid) => this.budgets.available(...bid),
        pendingLeases: () => this.budgets.pendingLeases(),
      },
      shares: {
        reserve: (...sale) => this.shares?.reserve(...sale) ?? true,
        release: (...sale) => this.shares?.release(...sale),
      },
      viewers: this.#viewers,
      tracking,
      creatives: { open: (sha256) => this.creatives.open(sha256) },
      texts: this.texts,
      settings: {
        ...DEFAULT_EDGE_SETTINGS,
        renderWindowMs: 3_600_000,
        region: 'fra',
        publicEdgeUrl: 'https://edge.test',
        secretKey: SECRET_KEY,
        ...settings,
        publicCreativesUrl,
        bidders: bidderSettings,
      },
      logger: { debug: () => undefined, info: () => undefined, warn: log, error: log },
      random: systemRandom,
      clock,
    };
    this.edge = createEdge(this.deps);
    this.pool();
    this.publisher();
  }

  async start(): Promise<this> {
    this.origin = `http://127.0.0.1:${await this.edge.listen(0, '127.0.0.1')}`;
    return this;
  }

  /** The auction records that this edge wrote, in its order. */
  async records(): Promise<AuctionRecord[]> {
    // What an answer leaves for afterwards.
    await new Promise((resolve) => setImmediate(resolve));
    await this.explorer.flush();
    const told = this.toldMessages.filter(({ kind }) => kind === 'auction-record');
    return told.map(({ body }) => JSON.parse(body.record));
  }

  async close(): Promise<void> {
    await this.edge.close();
    this.texts.close();
    await Promise.all([this.#bidderCalls.close(), this.#winnerMarkup.close()]);
    this.#viewers.close();
    await this.notices.close(1_000);
    await Promise.all(this.#bidders.map((bidder) => bidder.close()));
  }

  pool(fields: Partial<PoolProjection> = {}): void {
    this.replica.put('pool', {
      id: 'pool-1',
      accountId: 'account-1',
      name: 'Pool',
      floorCpmMicros: 0,
      ...fields,
    } as PoolProjection);
  }

  publisher(fields: Partial<PublisherProjection> = {}): void {
    const view: PublisherProjection = {
      id: 'pub-1',
      accountId: 'account-1',
      partnerId: null,
      name: 'A site',
      domain: 'site.test',
      type: 'web',
      status: 'active',
      poolId: 'pool-1',
      floorCpmMicros: 0,
      contentGenre: null,
      feePpm: 0,
      sandboxGeneration: 0,
      blockedCategories: [],
      blockedDomains: [],
      sellerType: 'PUBLISHER',
      confidential: false,
      sourceKeyId: null,
      ...fields,
    };
    this.replica.put('publisher', view);
  }

  apiKey(key: string, fields: Partial<ApiKeyProjection> = {}): void {
    const id = createHash('sha256').update(key).digest('hex');
    this.replica.put('api-key', {
      id,
      accountId: 'account-1',
      environment: 'live',
      expiresAtMs: null,
      ...fields,
    } as ApiKeyProjection);
  }

  dsp(fields: Partial<DspProjection> & { readonly endpointUrl: string | null }): void {
    this.replica.put('dsp', makeDspProjection(fields));
  }

  /** Puts a delegate of the pool, `dsp-1` unless `fields` set another id, and adds these campaigns to it. */
  delegate(campaigns: readonly CampaignFields[], fields: Partial<DspProjection> = {}): void {
    const dsp = makeDspProjection({ mode: 'delegate', endpointUrl: null, ...fields });
    this.replica.put('dsp', dsp);
    for (const campaign of campaigns) this.replica.put('campaign', makeCampaignProjection(dsp.id, campaign));
  }

  /** Puts the asset of a creative's URL. */
  asset(view: AssetProjection): void {
    this.replica.put('asset', { id: assetId(view.url), ...view });
  }

  /** Starts a bidder and subscribes it to the pool. */
  async bidder(script: Script, fields: Partial<DspProjection> = {}): Promise<ScriptedBidder> {
    const bidder = await startBidder(script);
    this.#bidders.push(bidder);
    this.dsp({ endpointUrl: bidder.url, ...fields });
    return bidder;
  }

  post(body: unknown, headers: Readonly<Record<string, string>> = {}, path = '/rtb'): Promise<Response> {
    return fetch(`${this.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(`${this.origin}${path}`, { headers: { 'user-agent': BROWSER_USER_AGENT, ...headers } });
  }

  /** The sums of the counts that were sent to the ledger of one source: `publisher` or `dsp`, and its id. */
  async counted(scope: 'publisher' | 'dsp', id: string, sandbox = false): Promise<Record<string, number>> {
    await new Promise((resolve) => setImmediate(resolve));
    await this.facts.flush();
    const sums: Record<string, number> = {};
    for (const { id: ledger, body } of this.toldMessages) {
      if (!ledger.includes(`${scope}:${id}`) || ledger.includes('sandbox') !== sandbox) continue;
      for (const [name, times] of Object.entries<number>(body.counts)) sums[name] = (sums[name] ?? 0) + times;
    }
    return sums;
  }
}

const ACCEPTS_ALL: TrackingEndpoints = {
  impression: (ctx) => {
    ctx.status = 200;
  },
  win: (ctx) => {
    ctx.status = 200;
  },
  view: (ctx) => {
    ctx.status = 204;
  },
};

/** Each auction needs an id of its own; the first one of each edge is `request-1`. */
let requestsMade = 0;

/** A device that frequency caps know. */
export const KNOWN_DEVICE = {
  ua: BROWSER_USER_AGENT,
  ip: '203.0.113.7',
  ifa: '3f1d9a9e-8d05-4d1c-a1f3-7e6f5f9a2c10',
} as const;

/** A request for one 300×250 banner of `pub-1`. */
export function bannerRequest(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id: `request-${++requestsMade}`,
    imp: [{ id: '1', banner: { w: 300, h: 250 } }],
    site: { id: 'pub-1', page: 'https://site.test/' },
    device: { ua: BROWSER_USER_AGENT, ip: '203.0.113.7' },
    ...fields,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever was answered
export function jsonOf(response: Response): Promise<any> {
  return response.json();
}
