/** What an edge knows of a demand source. */
export interface DspView {
  readonly id: string;
  readonly accountId: string;
  readonly partnerId: string | null;
  readonly name: string;
  readonly mode: 'rtb' | 'delegate';
  readonly status: 'active' | 'sandbox' | 'archived';
  /** Null for delegates. */
  readonly endpointUrl: string | null;
  /** 1..150. */
  readonly timeoutMs: number;
  /** The dialect its bid requests are written in. */
  readonly openrtbVersion: '2.5' | '2.6';
  /** Pools it takes traffic from. */
  readonly poolIds: readonly string[];
  /** 0 = unlimited. */
  readonly dailyBudgetCents: number;
  /** Since when it has had a budget without a break, ms since the epoch; 0 without one. */
  readonly limitedSinceMs: number;
  /** Of the demand source: the newest says what its budget is. */
  readonly revision: number;
  /** What cookie sync calls, with its macros; absent or null: nothing. */
  readonly userSyncUrl?: string | null;
  readonly userSyncType?: 'redirect' | 'iframe';
  /** In the IAB's Global Vendor List; absent or null: not known. */
  readonly tcfVendorId?: number | null;
  /** Whether its wins and impressions are kept one by one, for its feed; absent: they are. */
  readonly eventFeed?: boolean;
  /** How its loss notices are called; absent: by POST. */
  readonly lossNoticeMethod?: 'POST' | 'GET';
  /** Calls a second from all edges together. */
  readonly qpsLimit: number;
  /** How often its circuit breakers were reset; each edge closes its own when this rises. */
  readonly breakerResets: number;
  /** How often its health figures began anew; so do each edge's when this rises. */
  readonly healthResets: number;
  /** Of its sandbox ledgers (see sandbox-generation.ts). */
  readonly sandboxGeneration: number;
}
