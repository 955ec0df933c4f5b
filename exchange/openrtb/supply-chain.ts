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
   * Whether a chain that begins here is complete: 1 for a seller who owns the inventory. One who resells it has not said
   * where it comes from.
   */
  readonly begunComplete: Flag;
}

/** The exchange's node: `asi` is the domain of its sellers.json, and `sid` what that shows as `seller_id`. */
export function exchangeNode(exchangeDomain: string, sellerId: string, requestId: string): SupplyChainNode {
  return { asi: exchangeDomain, sid: sellerId, rid: requestId, hp: 1 };
}

/**
 * `source` with one link more in its chain, at its place in 2.6. A chain that came in stays as complete as it said; one that
 * does not say is not. Where 2.5 has the chain, `ext.schain`, the old one is left for the dialects to drop.
 * A chain that ends with this very link, of this very request, was written by this exchange (`GET /api/sandbox/test-bid`): it has it.
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
