import type { Cluster } from '../cluster.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { GroupServer } from './group-server.ts';
import type { LogGroup } from './log-group.ts';
import type { ReplicaFaultKind } from './replication.ts';

const LINK_CUT_MS = 1_500;
const CUT_OFF_MS = 900;
const PROMOTES_AFTER_MS = 400;
const DOWN_MS = 1_500;
const REPLICA_DOWN_MS = 700;
const OLD_SIDE_MS = 1_500;
const CALM_LAG_MS = 0.5;
/** The interval at which an operator repairs what sentinels did not, ms. */
const OPERATOR_EVERY_MS = 1_000;

/** Injects faults into the servers of a log group. */
export class ReplicaNemesis {
  readonly #cluster: Cluster;
  readonly #group: LogGroup;
  readonly #random: SeededRandom;
  #active = false;

  constructor(cluster: Cluster, group: LogGroup) {
    this.#cluster = cluster;
    this.#group = group;
    this.#random = cluster.world.stream('replica nemesis');
  }

  begin(): void {
    this.#active = true;
    for (const [strike, meanMs] of this.#group.plan.faultKinds) this.#schedule(strike, meanMs);
    this.#operate();
  }

  /** Restores all links, without lag, and restarts all servers. */
  end(): void {
    this.#active = false;
    this.#group.lagMs = CALM_LAG_MS;
    const { servers } = this.#group;
    for (const one of servers) {
      for (const other of servers) this.#group.heal(one.name, other.name);
      for (const { name } of this.#cluster.members) this.#group.heal(one.name, name);
      this.#reunite(one);
      if (!one.up) this.#return(one, false);
    }
    for (const { name } of this.#cluster.members) this.#group.unpinPrimary(name);
  }

  /** Power fails at the primary, and returns. */
  powerFails(): void {
    const { announced } = this.#group;
    if (!announced.up) return;
    announced.stop();
    announced.start(false);
  }

  #schedule(strike: ReplicaFaultKind, meanMs: number): void {
    this.#cluster.world.time.after(this.#random.exponential(meanMs), `nemesis: ${strike}`, () => {
      if (!this.#active) return;
      if (this.#faults[strike]()) this.#cluster.world.faults.count(strike);
      this.#schedule(strike, meanMs);
    });
  }

  readonly #faults: Readonly<Record<ReplicaFaultKind, () => boolean>> = {
    'replication link cut': () => {
      const replicas = this.#group.servers.filter(({ upstream }) => upstream !== null);
      if (replicas.length === 0) return false;
      const { name, upstream } = this.#random.pick(replicas);
      this.#group.cut(name, upstream!.name);
      this.#later(this.#random.chance(0.4) ? 3 * LINK_CUT_MS : LINK_CUT_MS, () =>
        this.#group.heal(name, upstream!.name),
      );
      return true;
    },
    'processes cut off from a log server': () => {
      const { name } = this.#group.announced;
      const struck = this.#cluster.members.filter(() => this.#random.chance(0.5));
      for (const member of struck) this.#group.cut(member.name, name);
      this.#later(CUT_OFF_MS, () => {
        for (const member of struck) this.#group.heal(member.name, name);
      });
      return true;
    },
    'replica restarts': () => {
      const replicas = this.#group.servers.filter((one) => one.up && one !== this.#group.announced);
      if (replicas.length === 0) return false;
      this.#restart(this.#random.pick(replicas), REPLICA_DOWN_MS);
      return true;
    },
    failover: () => {
      const { announced } = this.#group;
      if (!announced.up) return false;
      this.#restart(announced, DOWN_MS);
      this.#promoteLater((one) => this.#isMember(one));
      return true;
    },
    'split brain': () => {
      const { announced } = this.#group;
      if (!announced.up || this.#group.isCut(announced.name, 'sentinels')) return false;
      this.#divide(announced);
      this.#promoteLater((one) => this.#isMember(one));
      return true;
    },
    'promoted outside the set': () => {
      const outsider = (one: GroupServer) => !this.#isMember(one) && one !== this.#group.announced;
      const { announced } = this.#group;
      if (!announced.up || !this.#group.servers.some((one) => one.up && outsider(one))) return false;
      if (this.#random.chance(0.5)) this.#restart(announced, DOWN_MS);
      else this.#divide(announced);
      this.#promoteLater(outsider);
      return true;
    },
  };

  #isMember({ name }: GroupServer): boolean {
    return this.#group.set.read().members.includes(name);
  }

  /** Some processes stay with `old`, and it hears nothing of sentinels; nor of the others, sometimes. */
  #divide(old: GroupServer): void {
    this.#group.cut(old.name, 'sentinels');
    for (const { name } of this.#cluster.members) if (this.#random.chance(0.6)) this.#group.pinPrimary(name, old);
    const lost = this.#group.servers.filter((one) => one !== old && this.#random.chance(0.7));
    for (const one of lost) this.#group.cut(one.name, old.name);
    this.#later(this.#random.chance(0.4) ? 3 * OLD_SIDE_MS : OLD_SIDE_MS, () => {
      for (const one of lost) this.#group.heal(one.name, old.name);
      for (const { name } of this.#cluster.members) this.#group.unpinPrimary(name);
      this.#reunite(old);
    });
  }

  #reunite(one: GroupServer): void {
    this.#group.heal(one.name, 'sentinels');
    this.#group.reconfigure(one);
  }

  #promoteLater(may: (one: GroupServer) => boolean): void {
    const before = this.#group.announced;
    this.#later(PROMOTES_AFTER_MS, () => {
      if (!this.#active || this.#group.announced !== before) return;
      const choices = this.#group.servers.filter((one) => one !== before && one.up && may(one));
      if (choices.length > 0) this.#group.promote(this.#random.pick(choices));
    });
  }

  #restart(one: GroupServer, meanMs: number): void {
    one.stop();
    this.#later(meanMs, () => {
      if (!one.up) this.#return(one, this.#active && this.#random.chance(0.4));
    });
  }

  /**
   * Data are lost where another server is sure to have them. A primary that returns takes itself for one until it is
   * told.
   */
  #return(one: GroupServer, empty: boolean): void {
    const { announced } = this.#group;
    const leads = announced.up && this.#group.isUsable(announced) && this.#group.set.read().primary === announced.name;
    const spared = one !== announced && leads;
    if (empty && spared) {
      this.#group.acknowledgedBy(announced);
      this.#cluster.world.faults.count('log server returns empty');
    }
    one.start(empty && spared);
    this.#group.reconfigure(one);
  }

  /** Promotes a usable server when the announced one cannot be used. */
  #operate(): void {
    this.#later(OPERATOR_EVERY_MS, () => {
      this.#operate();
      const { announced, servers, authoritative: standing } = this.#group;
      if (announced.up && this.#group.isUsable(announced)) {
        for (const one of servers) if (one.upstream !== announced) this.#group.reconfigure(one);
        return;
      }
      const fit = servers.filter((one) => one.up && this.#group.isUsable(one));
      const chosen = fit.includes(standing) ? standing : fit[0];
      if (chosen === undefined || chosen === announced) return;
      this.#cluster.world.faults.count('promoted by an operator');
      this.#group.promote(chosen);
    });
  }

  #later(meanMs: number, act: () => void): void {
    this.#cluster.world.time.after(this.#random.exponential(meanMs), 'replica nemesis', act);
  }
}
