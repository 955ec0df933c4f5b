import { BUDGET_WINDOW_MS } from './budget-window.ts';
import { AHEAD_WINDOWS, type BudgetLimits, type EdgeHolding } from './messages.ts';
import { type BudgetWindow, saturatingAdd } from './state.ts';

/** What edges hold of a budget window, and have sold in it. */
export type LeasedWindow = Pick<BudgetWindow, 'slotMs' | 'closedNanos' | 'grants'>;

/** The number of the last request of an edge, and when it came. */
export interface HeardEdge {
  readonly edge: string;
  readonly number: number;
  readonly heardAtMs: number;
}

/** One of so many parts of what is free is the most that is leased in a window ahead: a fifth for all of them. */
export const AHEAD_PARTS = 5 * AHEAD_WINDOWS;

/** Edges that have sent a request within this many ms share the free money. */
const ACTIVE_EDGE_MS = 2 * BUDGET_WINDOW_MS;

/** An edge that has sent no request for this many ms, and that holds nothing, is forgotten. */
const FORGET_EDGE_MS = 3_600_000;

/** `edges`, with the request of one of them, and without those that are forgotten. */
export function withEdgeSeen(
  { edges, slots }: { readonly edges: readonly HeardEdge[]; readonly slots: readonly LeasedWindow[] },
  { edge, number }: { readonly edge: string; readonly number: number },
  nowMs: number,
): HeardEdge[] {
  const holds = new Set(slots.flatMap(({ grants }) => grants.map((grant) => grant.edge)));
  const others = edges.filter(
    (known) => known.edge !== edge && (holds.has(known.edge) || known.heardAtMs > nowMs - FORGET_EDGE_MS),
  );
  return [...others, { edge, number, heardAtMs: nowMs }];
}

/** The number of edges that share the free money. */
export function sharingEdges(edges: readonly HeardEdge[], nowMs: number): number {
  return edges.filter(({ heardAtMs }) => heardAtMs > nowMs - ACTIVE_EDGE_MS).length;
}

/** The limits with the higher revision; those that are known where both have the same. */
export function newestLimits(known: BudgetLimits | null, requested: BudgetLimits): BudgetLimits {
  return known !== null && known.revision >= requested.revision ? known : requested;
}

export interface AppliedHoldings<W> {
  readonly slots: readonly W[];
  /** The windows whose closing is applied: the edge need not report them again. */
  readonly closedSlots: readonly number[];
}

/**
 * Applies the holdings of one edge to each budget window in which it has a grant: the grant becomes what the edge
 * reports, nothing when it reports nothing, or what it has sold once it has closed the window. A closed window without
 * a grant was already closed by an earlier request. Of windows through `settledThroughMs` nothing is kept.
 */
export function applyHoldings<W extends LeasedWindow>(
  slots: readonly W[],
  { edge, holdings }: { readonly edge: string; readonly holdings: readonly EdgeHolding[] },
  { settledThroughMs, unlimited, empty }: HoldingRules<W>,
): AppliedHoldings<W> {
  const held = new Map<number, EdgeHolding>(holdings.map((holding) => [holding.slotMs, holding]));
  const next = new Map<number, W>(slots.map((window) => [window.slotMs, window]));
  for (const window of slots) {
    const holding = held.get(window.slotMs);
    const grant = window.grants.find((one) => one.edge === edge);
    if (grant === undefined) continue;
    const grants = window.grants.filter((one) => one !== grant);
    if (holding === undefined) next.set(window.slotMs, { ...window, grants });
    else if (holding.closed) next.set(window.slotMs, withClosed({ ...window, grants }, holding));
    else next.set(window.slotMs, { ...window, grants: [...grants, { edge, nanos: maxSpendOf(holding) }] });
  }
  for (const holding of holdings) {
    const { slotMs } = holding;
    if (holding.closed || slotMs <= settledThroughMs || unlimited) continue;
    const window = next.get(slotMs) ?? empty(slotMs);
    // An edge should sell only what was granted; a report of more is believed.
    if (!window.grants.some((one) => one.edge === edge)) {
      next.set(slotMs, { ...window, grants: [...window.grants, { edge, nanos: maxSpendOf(holding) }] });
    }
  }
  const closedSlots = holdings.filter((holding) => holding.closed || holding.slotMs <= settledThroughMs);
  return { slots: [...next.values()], closedSlots: closedSlots.map(({ slotMs }) => slotMs) };
}

interface HoldingRules<W> {
  readonly settledThroughMs: number;
  readonly unlimited: boolean;
  /** A window of which nothing is known. */
  readonly empty: (slotMs: number) => W;
}

function withClosed<W extends LeasedWindow>(window: W, { soldNanos }: EdgeHolding): W {
  return { ...window, closedNanos: saturatingAdd(window.closedNanos, soldNanos) };
}

function maxSpendOf({ grantedNanos, soldNanos }: EdgeHolding): number {
  return Math.max(grantedNanos, soldNanos);
}

/** What an edge may sell for in a window, nano-dollars. */
export function grantOf(slots: readonly LeasedWindow[], edge: string, slotMs: number): number {
  const window = slots.find((one) => one.slotMs === slotMs);
  return window?.grants.find((grant) => grant.edge === edge)?.nanos ?? 0;
}

/** The part of a lease request that says which window it is about, and what the edge holds. */
interface WindowRequest {
  readonly edge: string;
  readonly slotMs: number;
  readonly holdings: readonly EdgeHolding[];
  readonly wantNanos: number;
}

/** What the edge holds of the window that its request is about, and has not sold. */
export function unsoldNanosOf(
  slots: readonly LeasedWindow[],
  { edge, slotMs, holdings }: Omit<WindowRequest, 'wantNanos'>,
): number {
  const holding = holdings.find((one) => one.slotMs === slotMs);
  return grantOf(slots, edge, slotMs) - (holding?.soldNanos ?? 0);
}

/** What the answer to a request says that its edge may sell for: all that it wants where nothing is limited. */
export function grantedNanosOf(
  slots: readonly LeasedWindow[],
  { edge, slotMs, holdings, wantNanos }: WindowRequest,
  unlimited: boolean,
): number {
  if (!unlimited) return grantOf(slots, edge, slotMs);
  const { grantedNanos = 0, soldNanos = 0 } = holdings.find((one) => one.slotMs === slotMs) ?? {};
  return Math.max(grantedNanos, soldNanos + wantNanos);
}

/** `slots`, in which an edge may sell for so much more. */
export function withGrant<W extends LeasedWindow>(
  slots: readonly W[],
  edge: string,
  window: W,
  moreNanos: number,
): readonly W[] {
  const nanos = (window.grants.find((grant) => grant.edge === edge)?.nanos ?? 0) + moreNanos;
  const grants = [...window.grants.filter((grant) => grant.edge !== edge), { edge, nanos }];
  return [...slots.filter(({ slotMs }) => slotMs !== window.slotMs), { ...window, grants }];
}

interface ShareWanted {
  /** What is neither spent nor leased. */
  readonly freeNanos: number;
  /** What the edge holds and has not sold. */
  readonly unsoldNanos: number;
  readonly wantNanos: number;
  readonly leastNanos: number;
  /** The number of edges that share. */
  readonly sharing: number;
}

/**
 * The nano-dollars to grant: at most what is wanted and what is free. Each active edge and one more must find as large
 * a share, so that no edge takes the last of the budget and a new edge finds some. Each share is smaller than the one
 * before, down to the least useful amount; less than that is not granted.
 */
export function shareOf({ freeNanos, unsoldNanos, wantNanos, leastNanos, sharing }: ShareWanted): number {
  const missingNanos = wantNanos - unsoldNanos;
  if (missingNanos <= 0) return 0;
  const shareNanos = Math.max(Math.floor(freeNanos / (sharing + 1)), leastNanos - unsoldNanos);
  const moreNanos = Math.min(missingNanos, shareNanos, freeNanos);
  return unsoldNanos + moreNanos < leastNanos ? 0 : moreNanos;
}
