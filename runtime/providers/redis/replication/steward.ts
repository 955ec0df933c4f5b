import type { InSyncServers, KeptSet } from './in-sync-servers.ts';
import { drop, groupOf, type InSyncSet, invite, join, type ServerName, waitedFor } from './in-sync-set.ts';
import type { Promotability } from './promotability.ts';
import type { Seen, ServerLink } from './server-link.ts';

interface StewardParts {
  readonly servers: InSyncServers;
  readonly writeEpoch: (link: ServerLink, epoch: number) => Promise<void>;
  /** Why a replica is not to be waited for, e.g. since it keeps nothing on disk; undefined when it is. */
  readonly unfit: (replica: ServerName) => Promise<string | undefined>;
  readonly promotability: Promotability;
  /** So many replicas in sync must stay in a group when others are dropped. */
  readonly minReplicas: number;
  readonly report: (problem: string, cause: unknown) => void;
}

/**
 * How long a member must be seen away before it is dropped. Longer than an approval holds, so that nobody takes it for a primary in
 * sync any more who does not read the set anew.
 */
const DROP_AFTER_MS = 3_500;
/** Seen attached for so long, and no further behind than so, a replica is worth waiting for. */
const INVITE_AFTER_MS = 2_000;
const INVITE_WITHIN_BYTES = 16 * 1_048_576;
/** A replica that was invited and dropped before it joined is left alone for so long, twice as long each time. */
const SHUN_MS = 10_000;
const LONGEST_SHUN_MS = 600_000;

/**
 * Keeps the set of servers in sync: drops members that stay away, lets replicas join that are back or new. Every process has one and
 * looks once a second; the store's compare and set decides between them, and whoever comes next goes on with what another began.
 */
export class Steward {
  readonly #parts: StewardParts;
  readonly #missingSinceMs = new Map<ServerName, number>();
  readonly #attachedSinceMs = new Map<ServerName, number>();
  readonly #shunned = new Map<ServerName, { readonly untilMs: number; readonly forMs: number }>();

  constructor(parts: StewardParts) {
    this.#parts = parts;
  }

  /** Does what is to be done about the group of a primary that was just looked at. Never rejects. */
  async keep(link: ServerLink, { name, kept, role, epoch }: Seen): Promise<void> {
    const set = kept.set;
    const group = set ? groupOf(set, name) : undefined;
    if (!set || !group) return;
    const attached = [...role.replicas.keys()];
    const waited = waitedFor(group, name);
    const missing = since(
      this.#missingSinceMs,
      waited.filter((one) => !attached.includes(one)),
      waited,
    );
    const others = attached.filter((one) => !waited.includes(one));
    const near = others.filter((one) => role.offset - role.replicas.get(one)! <= INVITE_WITHIN_BYTES);
    const steady = since(this.#attachedSinceMs, near, others);
    try {
      if (await this.#drop(kept, set, name, missing)) return;
      if (group.joining.length > 0 || group.written < group.epoch) {
        if (missing.length === 0) await this.#join(link, kept, set, name, epoch);
        return;
      }
      await this.#invite(kept, set, name, steady, missing.length > 0);
      await this.#parts.promotability.restoreOrder(set);
    } catch (error) {
      this.#parts.report('keeping the set of Redis servers in sync', error);
    }
  }

  /** Answers whether the set may have changed. */
  async #drop(
    kept: KeptSet,
    set: InSyncSet,
    primary: ServerName,
    missing: readonly [ServerName, forMs: number][],
  ): Promise<boolean> {
    const gone = missing.filter(([, forMs]) => forMs >= DROP_AFTER_MS).map(([name]) => name);
    const after = drop(set, primary, gone, this.#parts.minReplicas);
    if (after === set) return false;
    const before = groupOf(set, primary)!;
    const left = waitedFor(groupOf(after, primary)!, primary);
    const dropped = waitedFor(before, primary).filter((name) => !left.includes(name));
    for (const name of dropped.filter((one) => before.joining.includes(one))) this.#shun(name);
    const noted = await this.#parts.promotability.noted(after, dropped);
    if (await this.#parts.servers.replace(kept, noted)) {
      this.#parts.report('Redis servers that are in sync no more', new Error(dropped.join(', ')));
    }
    return true;
  }

  /** Everything up to the epoch, and with it all that came before, must be in every server that is waited for. */
  async #join(link: ServerLink, kept: KeptSet, set: InSyncSet, primary: ServerName, epoch: number): Promise<void> {
    const group = groupOf(set, primary)!;
    if (epoch < group.epoch) await this.#parts.writeEpoch(link, group.epoch);
    await link.flush();
    const after = join(set, primary, group);
    if (after !== set && (await this.#parts.servers.replace(kept, after))) {
      for (const name of group.joining) this.#shunned.delete(name);
      if (group.joining.length > 0) {
        this.#parts.report('Redis servers that have come to be in sync', new Error(group.joining.join(', ')));
      }
    }
  }

  async #invite(
    kept: KeptSet,
    set: InSyncSet,
    primary: ServerName,
    steady: readonly [ServerName, forMs: number][],
    needed: boolean,
  ): Promise<void> {
    const nowMs = performance.now();
    const worth: ServerName[] = [];
    for (const [name, forMs] of steady) {
      const isShunned = (this.#shunned.get(name)?.untilMs ?? 0) > nowMs;
      // Where a member is missing nothing is acknowledged anyway, and it may be dropped once another has taken its place.
      if (forMs < INVITE_AFTER_MS || (isShunned && !needed)) continue;
      const fault = await this.#parts.unfit(name);
      if (fault === undefined) worth.push(name);
      else {
        this.#shun(name);
        this.#parts.report(`the replica ${name} is not waited for`, new Error(fault));
      }
    }
    const after = invite(set, primary, worth);
    if (after !== set) await this.#parts.servers.replace(kept, after);
  }

  #shun(name: ServerName): void {
    const before = this.#shunned.get(name);
    const forMs = before ? Math.min(LONGEST_SHUN_MS, 2 * before.forMs) : SHUN_MS;
    this.#shunned.set(name, { untilMs: performance.now() + forMs, forMs });
  }
}

/** Keeps in `since` from when on each of `now` was seen so; answers for how long. Others of `among` are forgotten. */
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
