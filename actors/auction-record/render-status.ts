/**
 * What became of a sold imp:
 * - `billed`: it was shown, and its impression is billed, at the clearing price;
 * - `awaited`: it has not been shown so far, and may be still, within the render window;
 * - `none`: it was not shown in its time, and nothing is billed;
 * - `unknown`: nobody knows any more, or the log is away.
 */
export const RENDER_STATUSES = ['billed', 'awaited', 'none', 'unknown'] as const;
export type RenderStatus = (typeof RENDER_STATUSES)[number];

/** A sold imp, as far as the log is asked for its impression. */
export interface SaleReference {
  readonly trackingId: string;
  /** When it was sold, ms since the epoch by the selling edge's clock. */
  readonly soldAtMs: number;
}

/** Says of each what has become of it until now. Never rejects. */
export type ReadRenderStatuses = (sales: readonly SaleReference[]) => Promise<RenderStatus[]>;
