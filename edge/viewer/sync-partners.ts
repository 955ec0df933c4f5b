import { createHash } from 'node:crypto';
import type { DspProjection } from '../../actors/dsp/fields.ts';
import { parseUrl } from '../../exchange/parse-url.ts';
import type { ProjectionChange, Replica } from '../../runtime/actor/replica.ts';

/** 48 bits: enough to tell the partners of one exchange apart, in a cookie that must stay small. */
const KEY_LENGTH = 8;

/** A DSP as a partner of cookie syncs. */
export interface SyncPartner {
  readonly dspId: string;
  /** The partner's key in the viewer's cookie. */
  readonly key: string;
  readonly sandbox: boolean;
  readonly poolIds: readonly string[];
  /** Id in the IAB's Global Vendor List; null when unknown. */
  readonly tcfVendorId: number | null;
  /** Sync URL with its macros. Null: the exchange does not call the partner, which may still call the exchange. */
  readonly url: string | null;
  readonly type: 'redirect' | 'iframe';
  /** `host[:port]` of every URL that the partner has registered: viewers may be redirected only to these. */
  readonly hosts: ReadonlySet<string>;
}

/** All DSPs with which users can be matched. Follows the replica. */
export class SyncPartners {
  readonly #byId = new Map<string, SyncPartner>();
  readonly #byKey = new Map<string, SyncPartner>();
  readonly close: () => void;

  constructor(replica: Replica) {
    this.close = replica.subscribe('dsp', (change) => this.#follow(change as ProjectionChange<DspProjection>));
  }

  byId(dspId: string): SyncPartner | undefined {
    return this.#byId.get(dspId);
  }

  byKey(key: string): SyncPartner | undefined {
    return this.#byKey.get(key);
  }

  /** Partners with a sync URL that take traffic from the pool: sandbox DSPs in the sandbox. The order is their own. */
  partnersToCall(poolId: string, sandbox: boolean): SyncPartner[] {
    const called = [...this.#byId.values()].filter(
      (partner) => partner.url !== null && partner.sandbox === sandbox && partner.poolIds.includes(poolId),
    );
    return called.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  #follow({ id, projection: entry }: ProjectionChange<DspProjection>): void {
    const before = this.#byId.get(id);
    if (before) {
      this.#byId.delete(id);
      this.#byKey.delete(before.key);
    }
    if (entry === null || entry.status === 'archived') return;
    const partner = partnerOf(entry);
    this.#byId.set(id, partner);
    this.#byKey.set(partner.key, partner);
  }
}

function partnerOf(entry: DspProjection): SyncPartner {
  const { id, status, poolIds, endpointUrl, userSyncUrl = null, userSyncType = 'redirect', tcfVendorId = null } = entry;
  const hosts = [endpointUrl, userSyncUrl].flatMap((url) => parseUrl(url ?? '')?.host ?? []);
  const key = createHash('sha256').update(id).digest('base64url').slice(0, KEY_LENGTH);
  const sandbox = status === 'sandbox';
  return { dspId: id, key, sandbox, poolIds, tcfVendorId, url: userSyncUrl, type: userSyncType, hosts: new Set(hosts) };
}
