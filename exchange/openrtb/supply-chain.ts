import type { BidRequest } from './bid-request.ts';
import type { Flag } from './fields/field.ts';
import type { Source, SupplyChainNode } from './fields/source.ts';
import { shallowCopy } from './shallow-copy.ts';
import { readSignals } from './signals.ts';

const VERSION = '1.0';

/** The exchange's link in the supply chain of one request (IAB Tech Lab, SupplyChain object 1.0). */
export interface SupplyChainLink {
  readonly node: SupplyChainNode;
  /**
   * Whether a chain that begins here is complete: 1 for a seller that owns the inventory. A reseller has not stated
   * where the inventory comes from.
   */
  readonly begunComplete: Flag;
}

/** The exchange's node: `asi` is the domain of its sellers.json, and `sid` is the `seller_id` there. */
export function exchangeNode(exchangeDomain: string, sellerId: string, requestId: string): SupplyChainNode {
  return { asi: exchangeDomain, sid: sellerId, rid: requestId, hp: 1 };
}

/**
 * Appends the exchange's node to the supply chain, at its 2.6 place in `source`. An incoming chain stays as complete as
 * it states; one without a statement is incomplete. An old chain in the 2.5 place, `ext.schain`, is left for the
 * dialects to remove. A chain that already ends with this node of this request was written by this exchange (`GET
 * /api/sandbox/test-bid`) and gets no second one.
 */
export function extendSupplyChain(request: BidRequest, { node, begunComplete }: SupplyChainLink): Source {
  const stated = readSignals(request).schain;
  const chain = stated
    ? { ...stated, complete: stated.complete ?? 0, ver: stated.ver ?? VERSION }
    : { complete: begunComplete, ver: VERSION, nodes: [] };
  const source = shallowCopy(request.source ?? {});
  source.schain = { ...chain, nodes: isSame(chain.nodes.at(-1), node) ? chain.nodes : [...chain.nodes, node] };
  return source;
}

function isSame(last: SupplyChainNode | undefined, { asi, sid, rid }: SupplyChainNode): boolean {
  return last !== undefined && last.rid === rid && last.asi === asi && last.sid === sid;
}
