import { passBarrier } from '../../node/log-barrier.ts';
import type { LogEntry } from '../../ports/log.ts';
import { positionTimeMs, START } from '../../ports/position.ts';
import type { Cluster, Member } from '../cluster.ts';
import { counter, sumOf } from '../workload/counter.ts';
import { sum } from '../workload/sum.ts';
import type { Operations } from './operations.ts';
import type { Violations } from './violations.ts';

const PAUSE_MS = 500;

/** What must have come to the end of its way when a barrier that is begun now is passed. */
interface Due {
  /** By partition, what readers could see. */
  readonly entries: readonly ReadonlySet<string>[];
  /** What these entries are tagged with. */
  readonly tags: ReadonlySet<string>;
  /** How many effects each counter had saved. */
  readonly effects: ReadonlyMap<string, number>;
}

interface Counter {
  readonly history: readonly string[];
}

interface Sum {
  readonly totals: Readonly<Record<string, { readonly count: number }>>;
}

/**
 * Passes the log's barrier again and again at processes that own nothing, and looks each time whether all that it speaks of is
 * in the store: that no entry of before is left, and that sums hold what their counters had counted. Until the log server loses
 * what it had acknowledged; then totals may be missing that nobody sends again.
 */
export class BarrierWatch {
  /** When the last barrier that was passed had been begun, ms since the start of the run. */
  begunAtMs = Number.NEGATIVE_INFINITY;
  /** How often what a barrier says was held against the store. */
  looks = 0;
  readonly #cluster: Cluster;
  readonly #operations: Operations;
  readonly #violations: Violations;

  constructor(cluster: Cluster, operations: Operations, violations: Violations) {
    this.#cluster = cluster;
    this.#operations = operations;
    this.#violations = violations;
  }

  /** As long as the process lives. */
  async follow({ hostsActors, process, log: { log, leases } }: Member): Promise<void> {
    if (hostsActors) return;
    const { signal } = new AbortController();
    for (;;) {
      const begunAtMs = this.#cluster.world.time.nowMs;
      const due = this.#due();
      const passed = await passBarrier({ log, leases, clock: process, signal }).catch(() => null);
      if (passed !== null) {
        this.begunAtMs = Math.max(this.begunAtMs, begunAtMs);
        if (this.#cluster.log.losses === 0) this.#look(due, passed.throughMs);
      }
      await new Promise<void>((resolve) => process.after(PAUSE_MS, resolve));
    }
  }

  #due(): Due {
    const { log, store } = this.#cluster;
    const visible = log.partitions.map((partition) => partition.after(START, Number.POSITIVE_INFINITY));
    return {
      entries: visible.map((entries) => new Set(entries.map(nameOf))),
      tags: new Set(visible.flat().flatMap(({ payload }) => /"(counter\/[^"]+!add-\d+)"/.exec(payload)?.[1] ?? [])),
      effects: new Map(store.all(counter.kind).map(({ id, state }) => [id, (state as Counter).history.length])),
    };
  }

  #look(due: Due, throughMs: number): void {
    this.looks += 1;
    const { log, store } = this.#cluster;
    for (const [number, { entries }] of log.partitions.entries()) {
      for (const entry of entries) {
        const { position } = entry;
        const before = due.entries[number]!.has(nameOf(entry)) || positionTimeMs(position) < throughMs;
        if (before) this.#violations.add('the barrier', `${number} still holds ${position} of before ${throughMs}`);
      }
    }
    // What is parked of a sum is not in it: whoever counts on the barrier looks at dead letters too.
    const parked = new Set(store.deadLetters(Number.POSITIVE_INFINITY, '').map(({ to }) => to));
    for (const { id, state } of store.all(counter.kind)) {
      if (parked.has(`${sum.kind}/${sumOf(id)}`)) continue;
      const { history } = state as Counter;
      const effects = Math.max(due.effects.get(id) ?? 0, history.findLastIndex((tag) => due.tags.has(tag)) + 1);
      const held = store.load({ kind: sum.kind, id: sumOf(id) })?.state as Sum | undefined;
      const count = held?.totals[id]?.count;
      if (effects === 0 || (count !== undefined && this.#counted(history, effects).has(count))) continue;
      this.#violations.add(
        'the barrier',
        `counter/${id} had ${effects} effects, of which its sum with ${count} lacks some`,
      );
    }
  }

  /** What a counter may have told after so many effects. */
  #counted(history: readonly string[], effects: number): ReadonlySet<number> {
    const counts = new Set<number>();
    let count = 0;
    for (const [at, tag] of history.entries()) {
      count += this.#operations.all.get(tag)?.amount ?? 0;
      if (at + 1 >= effects) counts.add(count);
    }
    return counts;
  }
}

/** A position that was lost by one server may be given to another entry by the next. */
function nameOf({ position, payload }: LogEntry): string {
  return `${position} ${payload}`;
}
