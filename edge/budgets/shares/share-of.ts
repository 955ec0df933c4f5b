/** Of so many wins it is not known yet what becomes of them: nobody's rate is high by one lucky impression. */
const UNPROVEN_WINS = 20;

/**
 * The share, 0 to 1, of one budget that a publisher may hold unrendered: twice the share of its wins that it has rendered. Who
 * renders a third of what it wins can so hold all that it never renders (two thirds) of a budget that it spends alone; who renders
 * nothing has `newShare`, which is anybody's.
 */
export function shareOf({ sold, shown }: { readonly sold: number; readonly shown: number }, newShare: number): number {
  return Math.min(1, Math.max(newShare, (2 * shown) / (Math.max(sold, shown) + UNPROVEN_WINS)));
}
