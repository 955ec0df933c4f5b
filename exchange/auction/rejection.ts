import type { LossReason } from './loss-reason.ts';

/** Why a bid that had won cannot be sold. */
export interface Rejection {
  readonly reason: LossReason;
  /** The cause, for people, where the reason alone does not name it: it completes the reason's words after a colon. */
  readonly detail: string | null;
}

export function rejectedFor(reason: LossReason, detail: string | null = null): Rejection {
  return { reason, detail };
}
