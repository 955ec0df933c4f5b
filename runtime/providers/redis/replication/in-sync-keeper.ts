import {
  beginJoin,
  completeJoin,
  drop,
  groupOf,
  type InSyncSet,
  type ServerName,
  serversToAwait,
} from './in-sync-set.ts';
import type { InSyncSetStore, StoredInSyncSet } from './in-sync-set-store.ts';
import type { Promotability } from './promotability.ts';
import type { ServerLink, ServerObservation } from './server-link.ts';

interface InSyncKeeperDeps {
  readonly servers: InSyncSetStore;
  readonly writeEpoch: (link: ServerLink, epoch: number) => Promise<void>;
  /** The reason why a replica cannot be waited for, e.g. because it stores nothing on disk; undefined when it can. */
  readonly unfit: (replica: ServerName) => Promise<string | undefined>;
  readonly promotability: Promotability;
  /** At least this many replicas in sync must stay in a group when others are dropped. */
  readonly minReplicas: number;
  readonly report: (problem: string, cause: unknown) => void;
}

/**
 * The time that a member must be missing before it is dropped, ms. It is longer than an approval holds, so that no
 * process that has not read the new set still treats the dropped member as a primary in sync.
 */
const DROP_AFTER_MS = 3_500;
/** A replica must be attached for this long before it joins, ms. */
const JOIN_AFTER_MS = 2_000;
/** A replica must be no further behind than this before it joins, bytes. */
const JOIN_WITHIN_BYTES = 16 * 1_048_576;
/** A replica that was dropped before it had joined is excluded for this long, twice as long each time, ms. */
const EXCLUDE_MS = 10_000;
/** Upper bound of the exclusion, ms. */
const MAX_EXCLUDE_MS = 600_000;

/**
 * Maintains the set of servers in sync: drops members that stay away, and lets returning or new replicas join. Every
 * process has one and checks once per second; the store's compare and set decides between them, and any process
 * continues what another began.
 */
export class InSyncKeeper {
  readonly #deps: InSyncKeeperDeps;
  readonly #missingSinceMs = new Map<ServerName, number>();
  readonly #attachedSinceMs = new Map<ServerName, number>();
  readonly #excluded = new Map<ServerName, { readonly untilMs: number; readonly forMs: number }>();

  constructor(parts: InSyncKeeperDeps) {
    this.#deps = parts;
  }

  /** Updates the group of a primary that was just observed. Never rejects. */
  async reconcile(link: ServerLink, { name, kept, role, epoch }: ServerObservation): Promise<void> {
    const set = kept.set;
    const group = set ? groupOf(set, name) : undefined;
    if (!set || !group) return;
    const attached = [...role.replicas.keys()];
    const waited = serversToAwait(group, name);
    const missing = since(
      this.#missingSinceMs,
      waited.filter((one) => !attached.includes(one)),
      waited,
    );
    const others = attached.filter((one) => !waited.includes(one));
    const near = others.filter((one) => role.offset - role.replicas.get(one)! <= JOIN_WITHIN_BYTES);
    const steady = since(this.#attachedSinceMs, near, others);
    try {
      if (await this.#drop(kept, set, name, missing)) return;
      if (group.joining.length > 0 || group.written < group.epoch) {
        if (missing.length === 0) await this.#completeJoin(link, kept, set, name, epoch);
        return;
      }
      await this.#beginJoin(kept, set, name, steady, missing.length > 0);
      await this.#deps.promotability.reconcile(set);
    } catch (error) {
      this.#deps.report('keeping the set of Redis servers in sync', error);
    }
  }

  /** Drops missing members. Resolves with whether the set may have changed. */
  async #drop(
    kept: StoredInSyncSet,
    set: InSyncSet,
    primary: ServerName,
    missing: readonly [ServerName, forMs: number][],
  ): Promise<boolean> {
    const gone = missing.filter(([, forMs]) => forMs >= DROP_AFTER_MS).map(([name]) => name);
    const after = drop(set, primary, gone, this.#deps.minReplicas);
    if (after === set) return false;
    const before = groupOf(set, primary)!;
    const left = serversToAwait(groupOf(after, primary)!, primary);
    const dropped = serversToAwait(before, primary).filter((name) => !left.includes(name));
    for (const name of dropped.filter((one) => before.joining.includes(one))) this.#exclude(name);
    const noted = await this.#deps.promotability.withDemoted(after, dropped);
    if (await this.#deps.servers.replace(kept, noted)) {
      this.#deps.report('Redis servers that are in sync no more', new Error(dropped.join(', ')));
    }
    return true;
  }

  /** Completes a join: every server that is waited for must have everything up to the epoch and before it. */
  async #completeJoin(
    link: ServerLink,
    kept: StoredInSyncSet,
    set: InSyncSet,
    primary: ServerName,
    epoch: number,
  ): Promise<void> {
    const group = groupOf(set, primary)!;
    if (epoch < group.epoch) await this.#deps.writeEpoch(link, group.epoch);
    await link.flush();
    const after = completeJoin(set, primary, group);
    if (after !== set && (await this.#deps.servers.replace(kept, after))) {
      for (const name of group.joining) this.#excluded.delete(name);
      if (group.joining.length > 0) {
        this.#deps.report('Redis servers that have come to be in sync', new Error(group.joining.join(', ')));
      }
    }
  }

  async #beginJoin(
    kept: StoredInSyncSet,
    set: InSyncSet,
    primary: ServerName,
    steady: readonly [ServerName, forMs: number][],
    needed: boolean,
  ): Promise<void> {
    const nowMs = performance.now();
    const worth: ServerName[] = [];
    for (const [name, forMs] of steady) {
      const isShunned = (this.#excluded.get(name)?.untilMs ?? 0) > nowMs;
      // When a member is missing nothing is acknowledged anyway, and it may be dropped once another server has taken
      // its place.
      if (forMs < JOIN_AFTER_MS || (isShunned && !needed)) continue;
      const fault = await this.#deps.unfit(name);
      if (fault === undefined) worth.push(name);
      else {
        this.#exclude(name);
        this.#deps.report(`the replica ${name} is not waited for`, new Error(fault));
      }
    }
    const after = beginJoin(set, primary, worth);
    if (after !== set) await this.#deps.servers.replace(kept, after);
  }

  #exclude(name: ServerName): void {
    const before = this.#excluded.get(name);
    const forMs = before ? Math.min(MAX_EXCLUDE_MS, 2 * before.forMs) : EXCLUDE_MS;
    this.#excluded.set(name, { untilMs: performance.now() + forMs, forMs });
  }
}

/**
 * Records in `sinceMs` since when each of `now` has been seen, and returns for how long. Others of `among` are
 * forgotten.
 */
function since(
  sinceMs: Map<ServerName, number>,
  now: readonly ServerName[],
  among: readonly ServerName[],
): [ServerName, forMs: number][] {
  const nowMs = performance.now();
  for (const name of among) if (!now.includes(name)) sinceMs.delete(name);
  return now.map((name) => {
    const first = sinceMs.get(name) ?? nowMs;
    sinceMs.set(name, first);
    return [name, nowMs - first];
  });
}
