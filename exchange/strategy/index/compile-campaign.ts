import type { BiddingCampaign } from '../bidding-campaign.ts';
import { campaignBids } from '../campaign-bids.ts';
import { type Campaign, creativesOf } from '../document/campaign.ts';
import { type CreativeShape, shapeOf } from '../fitting-creatives.ts';
import type { Match } from './campaign-index.ts';
import { holdRule, holdTargeting } from './predicates/hold-condition.ts';
import { AnyPredicate, FitPredicate, OwnerPredicate } from './predicates/offer-predicates.ts';
import type { PredicateTable } from './predicates/predicate-table.ts';

/** One bid that a campaign can make, and all that must hold for it. */
export interface CompiledBid {
  /** Null: a price of 0, and so no bid of the campaign at all. */
  readonly match: Match | null;
  /** Each once. */
  readonly predicates: readonly number[];
}

export interface CompiledCampaign {
  /** The best first; none for a campaign that never bids. */
  readonly bids: readonly CompiledBid[];
  /** All predicates of its bids, each held once. */
  readonly predicates: readonly number[];
}

const never: CompiledCampaign = { bids: [], predicates: [] };

/** A campaign as one conjunction of predicates for each bid that it can make: its targeting, and all that the rule demands. */
export function compileCampaign(
  id: string,
  owner: string,
  of: BiddingCampaign,
  table: PredicateTable,
): CompiledCampaign {
  const bids = campaignBids(of);
  // A bid of 0 stands in the way of those after it only.
  const last = bids.findLastIndex(({ bidCpmMicros }) => bidCpmMicros > 0);
  const shapes = creativesOf(of.campaign).map(shapeOf);
  if (of.paused || last === -1 || shapes.length === 0) return never;

  const held = new Set<number>();
  const keep = (predicate: number) => {
    if (held.has(predicate)) table.release(predicate);
    held.add(predicate);
    return predicate;
  };
  const ofAll = [
    ...holdTargeting(of.campaign.targeting ?? {}, table).map(({ predicate }) => keep(predicate)),
    keep(holdFit(shapes, table)),
    keep(holdOwner(owner, table)),
  ];
  const compiled = bids.slice(0, last + 1).map(({ rule, bidCpmMicros }) => {
    const ofRule = rule === null ? [] : holdRule(rule, table).map(({ predicate }) => keep(predicate));
    const match = bidCpmMicros > 0 ? matchOf(id, owner, of.campaign, rule?.rule_id ?? null, bidCpmMicros) : null;
    return { match, predicates: [...new Set([...ofAll, ...ofRule])] };
  });
  return { bids: compiled, predicates: [...held] };
}

function matchOf(id: string, owner: string, { priority = 0 }: Campaign, ruleId: string | null, bidCpmMicros: number) {
  return { id, owner, priority, bidCpmMicros, ruleId };
}

function holdOwner(owner: string, table: PredicateTable): number {
  const signature = `owner ${owner}`;
  return table.hold(signature) ?? table.add(signature, new OwnerPredicate(owner));
}

/** That the imp can show one of the creatives. */
function holdFit(shapes: readonly CreativeShape[], table: PredicateTable): number {
  const different = new Map(shapes.map((shape) => [signatureOf(shape), shape]));
  const fits = [...different].map(
    ([signature, shape]) => table.hold(signature) ?? table.add(signature, new FitPredicate(shape)),
  );
  if (fits.length === 1) return fits[0]!;
  const signature = `any ${fits.toSorted((a, b) => a - b).join(' ')}`;
  const known = table.hold(signature);
  if (known === null) return table.add(signature, new AnyPredicate(fits, table));
  for (const fit of fits) table.release(fit);
  return known;
}

/** Sizes are a banner's. */
function signatureOf({ format, width, height }: CreativeShape): string {
  if (format === 'video' || format === 'audio' || format === 'native') return `fit ${format}`;
  return `fit ${format === 'mraid' ? 'mraid' : 'banner'} ${width ?? ''}x${height ?? ''}`;
}
