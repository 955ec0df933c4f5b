import type { ServeAt } from '../log-calls.ts';
import type { SimulatedProcess } from '../simulated-process.ts';
import type { Approval, Covered } from './approval.ts';
import { type InSyncSet, isUsable, withJoined, withJoining, withoutMember } from './in-sync-set.ts';
import type { LogGroup } from './log-group.ts';

const EVERY_MS = 250;

/** The calls of a log group that the keeper needs. */
interface SetCalls {
  approve(): Promise<Approval>;
  readSet(): Promise<InSyncSet>;
  changeSet(next: InSyncSet): Promise<boolean>;
  at<T>(approval: Approval, name: string, serve: ServeAt<T>): Promise<T>;
  covered<T>(approval: Approval, name: string, serve: ServeAt<T>): Promise<Covered<T>>;
}

/**
 * Keeps the in-sync set true, in each process: drops members that are away, and lets replicas join that have come up.
 */
export class SetKeeper {
  readonly #calls: SetCalls;
  readonly #group: LogGroup;
  readonly #process: SimulatedProcess;
  /** By server: since when it has not been heard of, as this process knows. */
  readonly #awaySince = new Map<string, number>();
  #ended = false;

  constructor(calls: SetCalls, group: LogGroup, process: SimulatedProcess) {
    this.#calls = calls;
    this.#group = group;
    this.#process = process;
  }

  begin(): void {
    this.#process.after(EVERY_MS, () => {
      if (this.#ended) return;
      this.#turn()
        .catch(() => {})
        .finally(() => this.begin());
    });
  }

  end(): void {
    this.#ended = true;
  }

  async #turn(): Promise<void> {
    const approval = await this.#calls.approve();
    const set = await this.#calls.readSet();
    const { at } = approval;
    const epoch = await this.#calls.at<number>(approval, 'epoch', (server, answer) => answer(server.data.inSyncEpoch));
    if (set.primary !== at.name || !isUsable(set, at.name, epoch)) return;
    const attached = await this.#calls.at<string[]>(approval, 'replicas', (_server, answer) =>
      answer(at.attachedReplicas.map(({ name }) => name)),
    );
    if (await this.#drop(approval, set, attached)) return;
    if (await this.#endJoin(approval, set)) return;
    const outsider = attached.find((name) => !set.members.includes(name) && !set.joining.includes(name));
    if (outsider !== undefined) await this.#calls.changeSet(withJoining(set, outsider));
  }

  async #drop({ at }: Approval, set: InSyncSet, attached: readonly string[]): Promise<boolean> {
    const nowMs = this.#process.monotonic();
    const others = [...set.members, ...set.joining].filter((name) => name !== at.name);
    for (const name of others) {
      if (attached.includes(name)) this.#awaySince.delete(name);
      else if (!this.#awaySince.has(name)) this.#awaySince.set(name, nowMs);
    }
    const away = others.find((name) => nowMs - (this.#awaySince.get(name) ?? nowMs) >= this.#group.plan.dropAfterMs);
    if (away === undefined) return false;
    const left = others.filter((name) => name !== away && attached.includes(name));
    if (set.members.includes(away) && left.length < this.#group.plan.minReplicas) return false;
    return this.#calls.changeSet(withoutMember(set, away));
  }

  /** The epoch stands in the data of all, and nothing was acknowledged after it that a joining server lacks. */
  async #endJoin(approval: Approval, set: InSyncSet): Promise<boolean> {
    if (set.joining.length === 0) return false;
    await this.#calls.covered({ ...approval, set }, 'epoch written', (server, answer) => {
      server.change((data) => {
        data.inSyncEpoch = Math.max(data.inSyncEpoch, set.epoch);
      });
      answer(null);
    });
    return this.#calls.changeSet(withJoined(set));
  }
}
