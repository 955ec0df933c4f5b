/**
 * The status of a sold imp:
 * - `billed`: it was rendered, and its impression is billed at the clearing price;
 * - `awaited`: it was not rendered so far, and may still be within the render window;
 * - `none`: it was not rendered in its time, and nothing is billed;
 * - `unknown`: the log does not remember it any more, or the log is away;
 * - `test`: it was sold in test mode: nothing is billed, and whether it was rendered is not kept.
 */
export const RENDER_STATUSES = ['billed', 'awaited', 'none', 'unknown', 'test'] as const;
export type RenderStatus = (typeof RENDER_STATUSES)[number];

/** A sold imp, as the log is asked for its impression. */
export interface SaleReference {
  readonly trackingId: string;
  /** When it was sold, ms since the epoch by the selling edge's clock. */
  readonly soldAtMs: number;
}

/** Reads the present render status of each sale. Never rejects. */
export type ReadRenderStatuses = (sales: readonly SaleReference[]) => Promise<RenderStatus[]>;
