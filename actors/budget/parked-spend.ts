/** The money of a parked message that its holders' ledgers lack: it may yet be billed. */
export interface ParkedSpend {
  /** The holders that would pay, as `<scope>:<id>`; null when this is unknown: it may be any. */
  readonly of: ReadonlySet<string> | null;
  /** Whether the ledgers may have it already, or a part of it. */
  readonly mayBeBooked: boolean;
  /** The dead letters of it that no process has noted as replayed. */
  readonly notReplayed: readonly string[];
  /** The most that it would move, by the time of the sale, ms since the epoch. */
  readonly sales: readonly { readonly soldAtMs: number; readonly grossNanos: number }[];
}

/**
 * What parked messages may yet move of a holder; null while that cannot be told: for about a minute after a replay, and
 * while totals of its ledgers are parked.
 */
export function parkedSpendsOf(
  spends: readonly ParkedSpend[],
  { scope, id }: { readonly scope: string; readonly id: string },
): readonly ParkedSpend[] | null {
  const own = spends.filter(({ of }) => of === null || of.has(`${scope}:${id}`));
  return own.some(({ mayBeBooked }) => mayBeBooked) ? null : own;
}
