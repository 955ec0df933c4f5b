import { messagesOf } from '../../node/bundle.ts';
import { passBarrier } from '../../node/log-barrier.ts';
import { positionTimeMs } from '../../ports/position.ts';
import type { StoreToken } from '../../ports/store-token.ts';
import type { Cluster, Member } from '../cluster.ts';
import { nameOf } from '../replicas/acknowledged-history.ts';
import { counter, sumOf } from '../workload/counter.ts';
import { sum } from '../workload/sum.ts';
import type { Operations } from './operations.ts';
import type { Violations } from './violations.ts';

const PAUSE_MS = 500;

/** What must be complete when a barrier that begins now has passed. */
interface ExpectedState {
  /** The entries that readers could be given, by partition. */
  readonly entries: readonly ReadonlySet<string>[];
  /** The tags of these entries. */
  readonly tags: ReadonlySet<string>;
  /** The number of saved effects of each counter. */
  readonly effects: ReadonlyMap<string, number>;
}

interface Counter {
  readonly history: readonly string[];
}

interface Sum {
  readonly totals: Readonly<Record<string, { readonly count: number }>>;
}

/**
 * Passes the log's barrier repeatedly at processes that own nothing, and checks each time whether everything that it
 * covers is in the store: no earlier entry is left, and sums have what their counters had counted. Stops when the log
 * server loses acknowledged entries, because then totals may be missing that are never sent again.
 */
export class BarrierChecker {
  /** The time when the last passed barrier had begun, ms since the start of the run. */
  begunAtMs = Number.NEGATIVE_INFINITY;
  /** The number of barriers that were compared with the store. */
  checks = 0;
  readonly #cluster: Cluster;
  readonly #operations: Operations;
  readonly #violations: Violations;

  constructor(cluster: Cluster, operations: Operations, violations: Violations) {
    this.#cluster = cluster;
    this.#operations = operations;
    this.#violations = violations;
  }

  /** Passes barriers at this member as long as its process lives. */
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
    const { readable, store } = this.#cluster;
    return {
      entries: readable.map((entries) => new Set(entries.map(nameOf))),
      tags: new Set(
        readable
          .flat()
          .flatMap(messagesOf)
          .flatMap(({ payload }) => /"(counter\/[^"]+!add-\d+)"/.exec(payload)?.[1] ?? []),
      ),
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
    // Parked totals are not in a sum: a caller that relies on the barrier also checks dead letters.
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

  /**
   * Law 12, as the freeze of a statement applies it: reads that rely on the barrier are made after its token. Null when
   * they cannot be made.
   */
  async #readSums({ store }: Member, token: StoreToken): Promise<ReadonlyMap<string, Sum> | null> {
    const { broken, store: server } = this.#cluster;
    const ids = server.ids(sum.kind);
    const reads = broken.has('read-after-token') ? store : store.after(token);
    const read = await reads.load(ids.map((id) => ({ kind: sum.kind, id }))).catch(() => null);
    return read && new Map(read.flatMap((found, index) => (found ? [[ids[index]!, found.state as Sum]] : [])));
  }

  /** The counts that a counter may have reported after at least this number of effects. */
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
