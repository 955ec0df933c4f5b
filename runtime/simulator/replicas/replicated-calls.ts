import { SingleFlight } from '#async/single-flight';
import { LogUnavailable } from '../../ports/errors.ts';
import type { Connection } from '../connection.ts';
import type { LogCalls, ServeAt } from '../log-calls.ts';
import type { World } from '../world.ts';
import type { Approval, Covered } from './approval.ts';
import type { GroupServer } from './group-server.ts';
import { type InSyncSet, isUsable, withPrimary } from './in-sync-set.ts';
import type { LogGroup } from './log-group.ts';
import { SetKeeper } from './set-keeper.ts';

/** The calls of which only the answer matters. */
const READS: ReadonlySet<string> = new Set([
  'read',
  'catalogue read',
  'tail',
  'catalogue tail',
  'cursors',
  'remembers',
  'sources',
  'tooLate',
]);
/** The calls that promise nothing. */
const UNCOVERED: ReadonlySet<string> = new Set(['listen', 'reply']);

/** The calls of one process to a log group: an answer stays valid whichever member of the set is promoted next. */
export class ReplicatedCalls implements LogCalls {
  readonly connection: Connection;
  readonly #store: Connection;
  readonly #group: LogGroup;
  readonly #world: World;
  readonly #member: string;
  readonly #keeper: SetKeeper;
  #approval: Approval | null = null;
  readonly #approving = new SingleFlight<Approval>();

  /** `member`: the name by which links to the process are cut. */
  constructor(group: LogGroup, world: World, member: string, connection: Connection, store: Connection) {
    this.#group = group;
    this.#world = world;
    this.#member = member;
    this.connection = connection;
    this.#store = store;
    this.#keeper = new SetKeeper(this, group, connection.process);
    this.#keeper.begin();
  }

  async call<T>(name: string, serve: ServeAt<T>, patienceMs = 0): Promise<T> {
    const approval = await this.approve();
    if (UNCOVERED.has(name)) return this.at(approval, name, serve, patienceMs);
    const covers = !this.#group.broken.has(READS.has(name) ? 'read-fence' : 'wait-for-all');
    const { value, epoch } = await this.covered(approval, name, serve, patienceMs, covers);
    if (!covers || epoch <= approval.set.epoch) return value;
    await this.#coverAnew(approval, epoch);
    return value;
  }

  close(): void {
    this.#keeper.end();
  }

  /** A server began to join after the set was read: it too must have what is to be acknowledged. */
  async #coverAnew(approval: Approval, seen: number): Promise<void> {
    for (let epoch = seen; ; ) {
      this.#approval = null;
      const set = await this.readSet();
      if (!isUsable(set, approval.at.name, epoch)) throw this.#away('the set names it no more');
      const { epoch: later } = await this.covered({ ...approval, set }, 'wait', (_server, answer) => answer(null));
      if (later <= set.epoch) return;
      epoch = later;
    }
  }

  /** That the server which this process takes for the primary may be used. Rejects while it may not. */
  async approve(): Promise<Approval> {
    const at = this.#group.primaryFor(this.#member);
    const known = this.#approval;
    const { approvalMs } = this.#group.plan;
    const ageMs = known === null ? Number.POSITIVE_INFINITY : this.#world.time.nowMs - known.atMs;
    if (known !== null && ageMs < approvalMs && known.at === at && known.life === at.life) {
      if (ageMs > approvalMs / 2) this.#renew(at);
      return known;
    }
    return this.#renew(at);
  }

  #renew(at: GroupServer): Promise<Approval> {
    const approving = this.#approving.run(() => this.#read(at));
    approving.catch(() => {});
    return approving;
  }

  async #read(at: GroupServer): Promise<Approval> {
    const { life } = at;
    const atMs = this.#world.time.nowMs;
    const { broken } = this.#group;
    const set = await this.readSet().catch((cause) => {
      // While the store is away a server that was looked at all the time goes on being used by the set as it was.
      const known = this.#approval;
      if (known?.at === at && known.life === life && atMs - known.atMs < this.#group.plan.approvalMs) return known.set;
      throw cause;
    });
    const unapproved = { at, life, set, atMs };
    const epoch = await this.at<number>(unapproved, 'epoch', (server, answer) => answer(server.data.inSyncEpoch));
    if (!broken.has('primary-in-sync') && !isUsable(set, at.name, epoch)) {
      throw this.#away(`set ${JSON.stringify(set)}, epoch ${epoch}`);
    }
    this.#approval = { ...unapproved, set: await this.#noted(set, at) };
    return this.#approval;
  }

  /**
   * The set once it names `at` as the primary: what was decided at the sight of another, and comes late, is not kept.
   */
  async #noted(set: InSyncSet, at: GroupServer): Promise<InSyncSet> {
    if (set.primary === at.name || this.#group.broken.has('primary-in-sync')) return set;
    const noted = withPrimary(set, at.name);
    const isKept = await this.changeSet(noted).catch((cause) => {
      throw new LogUnavailable('the primary cannot be noted', { cause });
    });
    if (isKept) return noted;
    throw this.#away('the set was changed by another');
  }

  #away(why: string): Error {
    this.#world.faults.count('log away: the primary is not in the set');
    const text = `log away: ${this.#group.primaryFor(this.#member).name}, ${why}`;
    this.#world.trace.note(this.#world.time.nowMs, () => `${this.#member}: ${text}`);
    return new LogUnavailable(text);
  }

  /** Reads the set; without the store it is unknown whether the log may be used. */
  readSet(): Promise<InSyncSet> {
    const reading = this.#store.request<InSyncSet>('in-sync set', (answer) => answer(this.#group.set.read()));
    return reading.catch((cause) => {
      throw new LogUnavailable('the in-sync set cannot be read', { cause });
    });
  }

  changeSet(next: InSyncSet): Promise<boolean> {
    return this.#store.request<boolean>('in-sync set changes', (answer) => {
      const changed = this.#group.set.compareAndSet(next);
      if (changed) this.#world.trace.note(this.#world.time.nowMs, () => `${this.#member}: ${JSON.stringify(next)}`);
      answer(changed);
    });
  }

  /** By the server of `approval`, as long as the connection to it lives. */
  at<T>({ at, life }: Approval, name: string, serve: ServeAt<T>, patienceMs = 0): Promise<T> {
    const reaches = () => at.isPrimary && at.life === life && !this.#group.isCut(this.#member, at.name);
    return this.connection.request<T>(
      name,
      (answer, fail) => {
        if (!reaches()) return;
        serve(
          at.server,
          (value) => void (reaches() && answer(value)),
          (error) => void (reaches() && fail(error)),
        );
      },
      patienceMs,
    );
  }

  /** The same, and answered once all of the set that `approval` knows have what the server had then. */
  covered<T>(approval: Approval, name: string, serve: ServeAt<T>, patienceMs = 0, covers = true): Promise<Covered<T>> {
    const { at, set } = approval;
    const serveCovered: ServeAt<Covered<T>> = (server, answer, fail) =>
      serve(
        server,
        (value) => {
          const epoch = server.data.inSyncEpoch;
          const acknowledge = () => {
            this.#group.acknowledgedBy(at);
            answer({ value, epoch });
          };
          if (covers) at.whenAllHave(this.#names(at, set), acknowledge);
          else acknowledge();
        },
        fail,
      );
    return this.at(approval, name, serveCovered, patienceMs);
  }

  /** Without the law a process can but wait for what is attached. */
  #names(at: GroupServer, { members, joining }: InSyncSet): readonly string[] {
    if (this.#group.broken.has('primary-in-sync')) return at.attachedReplicas.map(({ name }) => name);
    return [...members, ...joining];
  }
}
