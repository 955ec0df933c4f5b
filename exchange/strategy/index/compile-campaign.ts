import type { BiddingCampaign } from '../bidding-campaign.ts';
import { type CampaignBid, campaignBids } from '../campaign-bids.ts';
import { type Campaign, creativesOf } from '../document/campaign.ts';
import { type CreativeShape, shapeOf } from '../fitting-creatives.ts';
import type { Match } from './match.ts';
import { compileRulePredicates, compileTargeting } from './predicates/compile-conditions.ts';
import { AnyPredicate, FitPredicate, OwnerPredicate } from './predicates/offer-predicates.ts';
import type { PredicateTable } from './predicates/predicate-table.ts';

/** One bid that a campaign can make, and the predicates that must all hold for it. */
export interface CompiledBid {
  /** Null for a price of 0: the campaign then does not bid at all. */
  readonly match: Match | null;
  /** The predicates of the conjunction, each once. */
  readonly predicates: readonly number[];
}

export interface CompiledCampaign {
  /** The bids, best first; none for a campaign that never bids. */
  readonly bids: readonly CompiledBid[];
  /** All predicates of its bids, each held once. */
  readonly predicates: readonly number[];
}

const NO_BIDS: CompiledCampaign = { bids: [], predicates: [] };

/**
 * Compiles a campaign into one conjunction of predicates for each bid that it can make: those of its targeting and
 * those of the rule.
 */
export function compileCampaign(
  id: string,
  owner: string,
  of: BiddingCampaign,
  table: PredicateTable,
): CompiledCampaign {
  const bids = campaignBids(of);
  // A bid of 0 only prevents the bids after it, so those behind the last positive bid are left out.
  const last = bids.findLastIndex(({ bidCpmMicros }) => bidCpmMicros > 0);
  const shapes = creativesOf(of.campaign).map(shapeOf);
  if (of.paused || last === -1 || shapes.length === 0) return NO_BIDS;

  const ofAll: number[] = [];
  for (const { predicate } of compileTargeting(of.campaign.targeting ?? {}, table)) keepOnce(predicate, ofAll, table);
  keepOnce(compileFit(shapes, table), ofAll, table);
  keepOnce(compileOwner(owner, table), ofAll, table);
  if (last === 0) return compileOne(id, owner, of.campaign, bids[0]!, ofAll, table);
  const held = new Set(ofAll);
  const compiled: CompiledBid[] = [];
  for (const { rule, bidCpmMicros } of bids.slice(0, last + 1)) {
    const ofRule: number[] = [];
    if (rule !== null) for (const predicate of compileRulePredicates(rule, table)) keepOnce(predicate, ofRule, table);
    const predicates = [...ofAll];
    for (const predicate of ofRule) {
      if (!ofAll.includes(predicate)) predicates.push(predicate);
      if (held.has(predicate)) table.release(predicate);
      else held.add(predicate);
    }
    const ruleId = rule?.rule_id ?? null;
    const match = bidCpmMicros > 0 ? matchOf(id, owner, of.campaign, ruleId, bidCpmMicros) : null;
    compiled.push({ match, predicates });
  }
  return { bids: compiled, predicates: [...held] };
}

/** Compiles the only bid of a campaign, given the predicates of its targeting. */
function compileOne(
  id: string,
  owner: string,
  campaign: Campaign,
  { rule, bidCpmMicros }: CampaignBid,
  ofAll: number[],
  table: PredicateTable,
): CompiledCampaign {
  if (rule !== null) for (const predicate of compileRulePredicates(rule, table)) keepOnce(predicate, ofAll, table);
  // A copy has no spare capacity, unlike an array that grew.
  const predicates = ofAll.slice();
  const match = matchOf(id, owner, campaign, rule?.rule_id ?? null, bidCpmMicros);
  return { bids: [{ match, predicates }], predicates };
}

function keepOnce(predicate: number, among: number[], table: PredicateTable): void {
  if (among.includes(predicate)) table.release(predicate);
  else among.push(predicate);
}

function matchOf(id: string, owner: string, { priority = 0 }: Campaign, ruleId: string | null, bidCpmMicros: number) {
  return { id, owner, priority, bidCpmMicros, ruleId };
}

/** Stands for the field of owners in what is remembered. No path is empty. */
const OWNERS = '';

function compileOwner(owner: string, table: PredicateTable): number {
  const known = table.memo.get(OWNERS, 'owner', owner);
  if (known !== undefined && table.holdSame(known.id, known.predicate)) return known.id;
  const signature = `owner ${owner}`;
  const id = table.hold(signature, null) ?? table.add(signature, new OwnerPredicate(owner));
  table.memo.remember(OWNERS, 'owner', owner, id, table.at(id));
  return id;
}

/** Compiles the condition that the imp can show one of the creatives. */
function compileFit(shapes: readonly CreativeShape[], table: PredicateTable): number {
  if (shapes.length === 1) return compileShape(shapes[0]!, table);
  const fits = new Set<number>();
  for (const shape of shapes) {
    const fit = compileShape(shape, table);
    if (fits.has(fit)) table.release(fit);
    fits.add(fit);
  }
  const [first, ...others] = [...fits].sort((a, b) => a - b);
  if (others.length === 0) return first!;
  const signature = `any ${first} ${others.join(' ')}`;
  const known = table.hold(signature, null);
  if (known === null) return table.add(signature, new AnyPredicate([first!, ...others], table));
  for (const fit of fits) table.release(fit);
  return known;
}

function compileShape(shape: CreativeShape, table: PredicateTable): number {
  const signature = signatureOf(shape);
  return table.hold(signature, null) ?? table.add(signature, new FitPredicate(shape));
}

const FIT = { video: 'fit video', audio: 'fit audio', native: 'fit native' } as const;

/** Only the signature of a banner contains a size. */
function signatureOf({ format, width, height }: CreativeShape): string {
  if (format === 'video' || format === 'audio' || format === 'native') return FIT[format];
  return `fit ${format === 'mraid' ? 'mraid' : 'banner'} ${width ?? ''}x${height ?? ''}`;
}
