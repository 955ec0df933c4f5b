import { BUDGET_WINDOW_MS } from '#actors/budget/budget-window';
import type { HeardEdge } from '#actors/budget/grants';
import type { RegionBudget, RegionWindow } from './region-budget.ts';

/** A window: its number, what is granted and sold, whether it is closed, then each edge's place with its grant. */
type PackedWindow = (number | string)[];

/**
 * When the last edge was heard, then of each edge: its name, the number of its last request, how long before that it
 * was heard.
 */
type PackedEdges = (number | string)[];

type Packed = Omit<RegionBudget, 'slots' | 'edges'> & {
  readonly edges: PackedEdges;
  readonly slots: readonly PackedWindow[];
};

/** The text of a record: windows and edges are most of it, so they are packed. */
export function encodeRegionBudget({ slots, edges, ...state }: RegionBudget): string {
  const places = new Map(edges.map(({ edge }, place) => [edge, place]));
  const packed: Packed = {
    ...state,
    edges: packEdges(edges),
    slots: slots.map((window) => packWindow(window, places)),
  };
  return JSON.stringify(packed);
}

export function decodeRegionBudget(text: string): RegionBudget {
  const { slots, edges: packedEdges, ...state } = JSON.parse(text) as Packed;
  const edges = unpackEdges(packedEdges);
  return { ...state, edges, slots: slots.map((window) => unpackWindow(window, edges)) };
}

/** An edge of a grant is the place of its name among the edges, or its name where it is not among them. */
function packWindow(window: RegionWindow, places: ReadonlyMap<string, number>): PackedWindow {
  const { slotMs, grantedNanos, closedNanos, closed, grants } = window;
  const head = [slotMs / BUDGET_WINDOW_MS, grantedNanos, closedNanos, closed ? 1 : 0];
  return [...head, ...grants.flatMap(({ edge, nanos }) => [places.get(edge) ?? edge, nanos])];
}

function unpackWindow(packed: PackedWindow, edges: readonly HeardEdge[]): RegionWindow {
  const [number, grantedNanos, closedNanos, closed, ...granted] = packed;
  const grants = [];
  for (let at = 0; at < granted.length; at += 2) {
    const named = granted[at]!;
    grants.push({ edge: typeof named === 'string' ? named : edges[named]!.edge, nanos: granted[at + 1] as number });
  }
  return {
    slotMs: (number as number) * BUDGET_WINDOW_MS,
    grantedNanos: grantedNanos as number,
    closedNanos: closedNanos as number,
    closed: closed === 1,
    grants,
  };
}

function packEdges(edges: readonly HeardEdge[]): PackedEdges {
  const lastMs = edges.reduce((last, { heardAtMs }) => Math.max(last, heardAtMs), 0);
  return [lastMs, ...edges.flatMap(({ edge, number, heardAtMs }) => [edge, number, lastMs - heardAtMs])];
}

function unpackEdges(packed: PackedEdges): HeardEdge[] {
  const edges: HeardEdge[] = [];
  const lastMs = packed[0] as number;
  for (let at = 1; at < packed.length; at += 3) {
    const heardAtMs = lastMs - (packed[at + 2] as number);
    edges.push({ edge: packed[at] as string, number: packed[at + 1] as number, heardAtMs });
  }
  return edges;
}
