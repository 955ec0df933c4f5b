import { createHash } from 'node:crypto';
import type { DspProjection } from '../../actors/dsp/fields.ts';
import type { ProjectionChange, Replica } from '../../runtime/actor/replica.ts';

/** 48 bits: enough to tell the partners of one exchange apart, in a cookie that must stay small. */
const KEY_LENGTH = 8;

/** A demand source as users are matched with it. */
export interface SyncPartner {
  readonly dspId: string;
  /** Names it in the viewer's cookie. */
  readonly key: string;
  readonly sandbox: boolean;
  readonly poolIds: readonly string[];
  /** In the IAB's Global Vendor List; null where it is not known. */
  readonly tcfVendorId: number | null;
  /** With its macros; null: it is not called, and may still call us. */
  readonly url: string | null;
  readonly type: 'redirect' | 'iframe';
  /** `host[:port]` of every address it has registered: where its viewers may be sent back to. */
  readonly hosts: ReadonlySet<string>;
}

/** Every demand source that users can be matched with. Follows the replica. */
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

  /** Those with a URL to call that take traffic from the pool: sandbox ones in the sandbox, in an order of their own. */
  partnersToCall(poolId: string, sandbox: boolean): SyncPartner[] {
    const called = [...this.#byId.values()].filter(
      (partner) => partner.url !== null && partner.sandbox === sandbox && partner.poolIds.includes(poolId),
    );
    return called.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  #follow({ id, projection: view }: ProjectionChange<DspProjection>): void {
    const before = this.#byId.get(id);
    if (before) {
      this.#byId.delete(id);
      this.#byKey.delete(before.key);
    }
    if (view === null || view.status === 'archived') return;
    const partner = partnerOf(view);
    this.#byId.set(id, partner);
    this.#byKey.set(partner.key, partner);
  }
}

function partnerOf(view: DspProjection): SyncPartner {
  const { id, status, poolIds, endpointUrl, userSyncUrl = null, userSyncType = 'redirect', tcfVendorId = null } = view;
  const hosts = [endpointUrl, userSyncUrl].flatMap((url) =>
    url !== null && URL.canParse(url) ? [new URL(url).host] : [],
  );
  const key = createHash('sha256').update(id).digest('base64url').slice(0, KEY_LENGTH);
  const sandbox = status === 'sandbox';
  return { dspId: id, key, sandbox, poolIds, tcfVendorId, url: userSyncUrl, type: userSyncType, hosts: new Set(hosts) };
}
