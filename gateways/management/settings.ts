import type { Region } from '../../exchange/region.ts';
import { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from '../http/connection-limits.ts';
import type { OwnEndpoints } from '../http/own-endpoints.ts';
import { DEFAULT_LIVE_SETTINGS, type LiveSettings } from '../live/settings.ts';

export interface ManagementSettings {
  /** The environment variables that are set, by their names; of all others the default holds. */
  readonly given: ReadonlySet<string>;
  /** Where this process runs. */
  readonly region: Region;
  /** Of the running release, as `GET /api/health` answers it. */
  readonly version: string;
  /** What browsers know us by; its scheme says whether cookies travel over TLS alone. */
  readonly publicBaseUrl: string;
  /** Origins of others that browsers may call us from, `https://app.example`. */
  readonly allowedOrigins: readonly string[];
  /** The registrable domain whose hosts may call the API from a browser; null: whole origins alone. */
  readonly ownDomain: string | null;
  /** The largest body accepted, after decompression. */
  readonly bodyLimitBytes: number;
  /** Where ad requests go, for what the API's description says of them. */
  readonly publicEdgeUrl: string;
  /** What URLs of hosted creatives begin with. */
  readonly publicCreativesUrl: string;
  /** How many proxies of ours each request comes through, each of which appends to `X-Forwarded-For`. */
  readonly trustProxyHops: number;
  readonly connections: ConnectionLimits;
  /** Of one network address, for requests without valid credentials. */
  readonly anonymousRequestsPerMinute: number;
  /** A session ends so long after logging in, however much it is used, in days. */
  readonly sessionLifetimeDays: number;
  /** Whether browsers are shown the dashboard, where it was built. */
  readonly dashboard: boolean;
  /** Whether each answer leaves a line in the log. */
  readonly accessLog: boolean;
  readonly sellers: SellersSettings;
  /** The exchange's name in supply chains: the domain that its sellers.json is on. */
  readonly exchangeDomain: string;
  /** Whether creatives must be served over https (specification, "Creative specifications"). */
  readonly httpsCreativesOnly: boolean;
  /** How many campaigns of the Campaign API a demand source may have; a strategy has at most 2,000 besides. */
  readonly campaignsPerSource: number;
  /** Whether webhooks may be on loopback, private or link-local addresses. */
  readonly allowPrivateNetworks: boolean;
  /** Where none of them leads, whatever its address; absent: nowhere. */
  readonly ownEndpoints?: OwnEndpoints;
  /** Of the metrics WebSocket. */
  readonly live: LiveSettings;
  /** Whether each answer is held against its schema before it leaves: for tests, since it costs. */
  readonly checkAnswers: boolean;
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
};
