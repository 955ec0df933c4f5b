import { passBarrier } from '../../node/log-barrier.ts';
import type { LogEntry } from '../../ports/log.ts';
import { positionTimeMs, START } from '../../ports/position.ts';
import type { StoreToken } from '../../ports/store-token.ts';
import type { Cluster, Member } from '../cluster.ts';
import { counter, sumOf } from '../workload/counter.ts';
import { sum } from '../workload/sum.ts';
import type { Operations } from './operations.ts';
import type { Violations } from './violations.ts';

const PAUSE_MS = 500;

/** What must have come to the end of its way when a barrier that is begun now is passed. */
interface ExpectedState {
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
export class BarrierChecker {
  /** When the last barrier that was passed had been begun, ms since the start of the run. */
  begunAtMs = Number.NEGATIVE_INFINITY;
  /** How often what a barrier says was held against the store. */
  checks = 0;
  readonly #cluster: Cluster;
  readonly #operations: Operations;
  readonly #violations: Violations;

  constructor(cluster: Cluster, operations: Operations, violations: Violations) {
    this.#cluster = cluster;
    this.#operations = operations;
    this.#violations = violations;
  }

  /** As long as the process lives. */
  async follow(member: Member): Promise<void> {
    const {
      hostsActors,
      process,
      log: { log, leases },
    } = member;
    if (hostsActors) return;
    const { signal } = new AbortController();
    for (;;) {
      const begunAtMs = this.#cluster.world.time.nowMs;
      const due = this.#expectedState();
      const passed = await passBarrier({ log, leases, clock: process, signal }).catch(() => null);
      if (passed !== null) {
        this.begunAtMs = Math.max(this.begunAtMs, begunAtMs);
        const sums = await this.#readSums(member, passed.token);
        if (sums !== null && this.#cluster.log.losses === 0) this.#look(due, passed.throughMs, sums);
      }
      await new Promise<void>((resolve) => process.after(PAUSE_MS, resolve));
    }
  }

  #expectedState(): ExpectedState {
    const { log, store } = this.#cluster;
    const visible = log.partitions.map((partition) => partition.after(START, Number.POSITIVE_INFINITY));
    return {
      entries: visible.map((entries) => new Set(entries.map(nameOf))),
      tags: new Set(visible.flat().flatMap(({ payload }) => /"(counter\/[^"]+!add-\d+)"/.exec(payload)?.[1] ?? [])),
      effects: new Map(store.all(counter.kind).map(({ id, state }) => [id, (state as Counter).history.length])),
    };
  }

  #look(due: ExpectedState, throughMs: number, sums: ReadonlyMap<string, Sum>): void {
    this.checks += 1;
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
      const count = sums.get(sumOf(id))?.totals[id]?.count;
      if (effects === 0 || (count !== undefined && this.#counted(history, effects).has(count))) continue;
      this.#violations.add(
        'the barrier',
        `counter/${id} had ${effects} effects, of which its sum with ${count} lacks some`,
      );
    }
  }

  /** Law 12, as whoever freezes a statement keeps it: what counts on the barrier is read after its token. Null: it cannot be read. */
  async #readSums({ store }: Member, token: StoreToken): Promise<ReadonlyMap<string, Sum> | null> {
    const { broken, store: server } = this.#cluster;
    const ids = server.ids(sum.kind);
    const reads = broken.has('read-after-token') ? store : store.after(token);
    const read = await reads.load(ids.map((id) => ({ kind: sum.kind, id }))).catch(() => null);
    return read && new Map(read.flatMap((found, index) => (found ? [[ids[index]!, found.state as Sum]] : [])));
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
