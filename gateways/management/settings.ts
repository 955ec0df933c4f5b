import type { SecureContext } from 'node:tls';
import type { Region, RegionAddress } from '../../exchange/region.ts';
import { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from '../http/connection-limits.ts';
import type { OwnEndpoints } from '../http/own-endpoints.ts';
import { DEFAULT_LIVE_SETTINGS, type LiveSettings } from '../live/settings.ts';
import { type HashCost, hashCost } from './identity/passwords/password-hash.ts';

export interface ManagementSettings {
  /** The names of the environment variables that are set; the defaults hold for all others. */
  readonly given: ReadonlySet<string>;
  /** The region that this process runs in. */
  readonly region: Region;
  /** The version of the running release, as `GET /api/health` answers it. */
  readonly version: string;
  /** The base URL that browsers use for the API; its scheme decides whether cookies travel over TLS alone. */
  readonly publicBaseUrl: string;
  /** Foreign origins whose pages may call the API from a browser, such as `https://app.example`. */
  readonly allowedOrigins: readonly string[];
  /** The registrable domain whose hosts may call the API from a browser; null: only whole origins may. */
  readonly ownDomain: string | null;
  /** The largest request body that is accepted, in bytes after decompression. */
  readonly bodyLimitBytes: number;
  /** The URL that ad requests go to, as the API's description states it. */
  readonly publicEdgeUrl: string;
  /** Where the edges of each region are, as `GET /api/regions` answers it. */
  readonly regionUrls: readonly RegionAddress[];
  /** The prefix of the URLs of hosted creatives. */
  readonly publicCreativesUrl: string;
  /** The number of the exchange's own proxies that each request comes through; each appends to `X-Forwarded-For`. */
  readonly trustProxyHops: number;
  readonly connections: ConnectionLimits;
  /** The limit for one network address, for requests without valid credentials. */
  readonly anonymousRequestsPerMinute: number;
  /** A session ends this many days after the login, however much it is used. */
  readonly sessionLifetimeDays: number;
  /** Whether browsers are served the dashboard, provided that it was built. */
  readonly dashboard: boolean;
  /** Whether each answer writes a line into the access log. */
  readonly accessLog: boolean;
  readonly sellers: SellersSettings;
  /** The exchange's name in supply chains: the domain that serves its sellers.json. */
  readonly exchangeDomain: string;
  /** Whether creatives must be served over https (specification, "Creative specifications"). */
  readonly httpsCreativesOnly: boolean;
  /** The number of Campaign API campaigns that a demand source may have; a strategy has at most 2,000 in addition. */
  readonly campaignsPerSource: number;
  /** Whether webhooks may lead to loopback, private or link-local addresses. */
  readonly allowPrivateNetworks: boolean;
  /** The exchange's own endpoints, which no webhook may lead to, whatever their addresses; absent: there are none. */
  readonly ownEndpoints?: OwnEndpoints;
  /** What bidders that are tried are trusted by and shown (`BidderSettings.secureContext`); absent: Node's defaults. */
  readonly bidderContext?: SecureContext;
  /** The settings of the metrics WebSocket. */
  readonly live: LiveSettings;
  /**
   * Whether each answer is checked against its schema before it is sent; only tests set it, since the check costs time.
   */
  readonly checkAnswers: boolean;
  /** The cost of the hashes of new passwords; only tests lower it. */
  readonly passwordHashCost: HashCost;
}

/** The part of sellers.json that no resource holds; null fields are left out. */
export interface SellersSettings {
  readonly contactEmail: string;
  readonly contactAddress: string | null;
  readonly identifiers: readonly { readonly name: string; readonly value: string }[];
}

export const defaultManagementSettings: ManagementSettings = {
  given: new Set(),
  region: 'fra',
  version: '0.0.0',
  publicBaseUrl: 'http://localhost:8080',
  allowedOrigins: [],
  ownDomain: null,
  bodyLimitBytes: 1_048_576,
  publicEdgeUrl: 'http://localhost:8081',
  regionUrls: [{ code: 'fra', url: 'http://localhost:8081' }],
  publicCreativesUrl: 'http://localhost:8081',
  trustProxyHops: 0,
  connections: DEFAULT_CONNECTION_LIMITS,
  anonymousRequestsPerMinute: 300,
  sessionLifetimeDays: 30,
  dashboard: true,
  accessLog: true,
  httpsCreativesOnly: false,
  campaignsPerSource: 100_000,
  allowPrivateNetworks: false,
  sellers: { contactEmail: 'admin@localhost', contactAddress: null, identifiers: [] },
  exchangeDomain: 'localhost',
  live: DEFAULT_LIVE_SETTINGS,
  checkAnswers: false,
  passwordHashCost: hashCost,
};
