/** A bid that may win. */
export interface Contender {
  readonly impId: string;
  /** What it pays when it wins: whole micro-dollars CPM. */
  readonly clearingCpmMicros: number;
  /** Contenders with the same group want all of the imps that they bid on, or none; null stands alone. */
  readonly group: string | null;
}

export interface Choice<T extends Contender> {
  /** One per imp that somebody won. */
  readonly winners: ReadonlyMap<string, T>;
  /** Contenders that left because their group could not win everything. */
  readonly withdrawn: ReadonlySet<T>;
}

/**
 * Chooses the highest contender of every imp; among equals each has the same chance, by `random` (uniform in [0, 1)).
 *
 * A group that does not win every imp it bids on withdraws (OpenRTB 2.6 §4.2.2) and the rest choose again without it. Of
 * several such groups the one that bids least in all goes first, so that the groups which stand in each other's way are
 * not all lost; each round takes one away, so there are at most as many rounds as groups.
 */
export function choose<T extends Contender>(contenders: readonly T[], random: () => number): Choice<T> {
  const withdrawn = new Set<T>();
  let remaining = contenders;
  let winners = highestPerImp(remaining, random);
  for (;;) {
    const group = weakestUnfulfilled(remaining, winners);
    if (group === undefined) return { winners, withdrawn };
    for (const contender of remaining) {
      if (contender.group === group) withdrawn.add(contender);
    }
    remaining = remaining.filter((contender) => contender.group !== group);
    winners = highestPerImp(remaining, random);
  }
}

function highestPerImp<T extends Contender>(contenders: readonly T[], random: () => number): Map<string, T> {
  const highest = new Map<string, T[]>();
  for (const contender of contenders) {
    const best = highest.get(contender.impId);
    if (best === undefined || contender.clearingCpmMicros > best[0]!.clearingCpmMicros) {
      highest.set(contender.impId, [contender]);
    } else if (contender.clearingCpmMicros === best[0]!.clearingCpmMicros) {
      best.push(contender);
    }
  }
  const winners = new Map<string, T>();
  for (const [impId, equals] of highest) {
    winners.set(impId, equals.length === 1 ? equals[0]! : equals[Math.floor(random() * equals.length)]!);
  }
  return winners;
}

function weakestUnfulfilled<T extends Contender>(
  contenders: readonly T[],
  winners: ReadonlyMap<string, T>,
): string | undefined {
  const totals = new Map<string, number>();
  const unfulfilled = new Set<string>();
  for (const { group, impId, clearingCpmMicros } of contenders) {
    if (group === null) continue;
    totals.set(group, (totals.get(group) ?? 0) + clearingCpmMicros);
    if (winners.get(impId)!.group !== group) unfulfilled.add(group);
  }
  let weakest: string | undefined;
  for (const group of unfulfilled) {
    if (weakest === undefined || totals.get(group)! < totals.get(weakest)!) weakest = group;
  }
  return weakest;
}
