import type { Redis } from 'ioredis';
import { SingleFlight } from '#async/single-flight';
import { LogUnavailable } from '#runtime/ports/errors';
import type { DataEpoch } from './data-epoch.ts';
import { groupOf, type ServerGroup, type ServerName, serversToAwait, withPrimary } from './in-sync-set.ts';
import type { InSyncSetStore, StoredInSyncSet } from './in-sync-set-store.ts';
import { askRole, type PrimaryRole } from './role.ts';
import { nameOfServer } from './server-name.ts';
import { detectWaitAof, waitForReplicas } from './wait-for-replicas.ts';

/** The dependencies that all links of a log share. */
export interface LinkDeps {
  readonly servers: InSyncSetStore;
  readonly epoch: DataEpoch;
  /** Called each time that the server at the other end may not be used, with the reason. */
  readonly notInSync: (reason: string) => void;
  /** Called when the server at the other end is a replica: the primary must be found again. */
  readonly notPrimary: (client: Redis) => void;
}

/** The observed state of a server. */
export interface ServerObservation {
  readonly name: ServerName;
  readonly kept: StoredInSyncSet;
  readonly role: PrimaryRole;
  readonly epoch: number;
}

interface Approval {
  /** The connection that the approval is for. */
  readonly stream: Redis['stream'];
  readonly name: ServerName;
  readonly group: ServerGroup;
  /** When the observation behind the approval began, monotonic ms. */
  readonly atMs: number;
}

/** An observation with its connection and the time when it began. */
type ConnectionObservation = ServerObservation & Pick<Approval, 'stream' | 'atMs'>;

/**
 * The time that an approval holds, ms. A server is dropped only after a longer time since it was last a primary in
 * sync.
 */
const APPROVAL_MS = 2_000;
/** The age from which an approval is renewed in the background, ms. */
const RENEW_FROM_MS = 700;
/** The time that the store has to return the set when a known set can be used instead, ms. */
const STORE_WITHIN_MS = 500;
/** The time before a server that may not be used is checked again, ms. */
const REFUSAL_MS = 200;
/** The delay of a refusal, so that a caller that retries at once does not block the process, ms. */
const REFUSE_AFTER_MS = 5;
/** The time that a replica has to acknowledge before the calls that wait for it fail, ms. */
const WAIT_MS = 1_000;

/**
 * A connection to a primary. Everything that it acknowledges or hands out is on every server in sync (law 12).
 *
 * Nothing is sent unless the server is a primary, is a member of its group according to the store, and has the data
 * that members have (law `primary-in-sync`); this is checked for every connection, and every few seconds.
 * `sendReplicated` resolves when every other server of the group has acknowledged the replication stream up to what was
 * written (law `wait-for-all`) or read (law `read-fence`).
 *
 * The servers are distinguished by name: WAIT alone returns how many servers have acknowledged, but not which.
 */
export class ServerLink {
  readonly client: Redis;
  readonly #deps: LinkDeps;
  readonly #sending: () => void;
  #approval: Approval | undefined;
  readonly #approving = new SingleFlight<Approval>();
  /** The set that was read last. */
  #knownSet: StoredInSyncSet | undefined;
  /** Servers that did not acknowledge in time. While there are any, nothing is sent that would wait for them. */
  #behind: readonly ServerName[] = [];
  /** The round that will cover what is sent now. */
  #nextRound: Promise<void> | undefined;
  /** The round that is under way; never rejects. */
  #currentRound: Promise<void> | undefined;
  #refused: LogUnavailable | undefined;
  #refusedUntilMs = 0;
  #named: { readonly stream: Redis['stream']; readonly name: ServerName } | undefined;

  /** `sending` is called before each command is sent. */
  constructor(client: Redis, deps: LinkDeps, sending: () => void = () => {}) {
    this.client = client;
    this.#deps = deps;
    this.#sending = sending;
  }

  /** The reason why replicated calls are refused at the moment; undefined when they are not. */
  get refusal(): string | undefined {
    if (this.#behind.length > 0) return `Redis: ${this.#behind.join(' and ')} did not acknowledge in time`;
    return this.#current() ? undefined : 'Redis: no server in sync is known to be at the other end';
  }

  /**
   * Sends to a primary in sync, without waiting for replicas.
   *
   * @throws {LogUnavailable}
   */
  send<T>(send: () => Promise<T>): Promise<T> {
    if (this.#current()) return this.#sendApproved(send);
    return this.#approve().then(() => this.send(send));
  }

  /**
   * Sends, and resolves once every server in sync has what was written or read.
   *
   * @throws {LogUnavailable} with outcome unknown
   */
  sendReplicated<T>(send: () => Promise<T>): Promise<T> {
    if (this.#behind.length > 0) return refuse(new LogUnavailable(this.refusal!));
    const approval = this.#current();
    if (!approval) return this.#approve().then(() => this.sendReplicated(send));
    const answer = this.#sendApproved(send);
    return Promise.all([answer, this.#awaitReplicas(approval)]).then(([result]) => result);
  }

  /**
   * Does the same as `sendReplicated` for a read that may wait long: the acknowledgements are requested after its
   * answer, and on the connection that delivered it. Nothing is requested for null.
   */
  async fenced<T>(read: () => Promise<T | null>): Promise<T | null> {
    const { stream } = this.#current() ?? (await this.#approve());
    const answer = await this.#sendApproved(read);
    if (answer !== null) await this.#confirm(stream);
    return answer;
  }

  /**
   * Observes the server again, and checks whether all servers that are waited for acknowledge.
   *
   * @throws {LogUnavailable} when the server may not be used
   */
  async verify(): Promise<ServerObservation> {
    const seen = await this.#recordPrimary(await this.observe());
    const approval = this.#judge(seen);
    const wereBehind = this.#behind.length > 0;
    // A WAIT for a missing server would only delay the other commands of this connection.
    const absent = serversToAwait(approval.group, approval.name).filter((name) => !seen.role.replicas.has(name));
    if (absent.length > 0) this.#behind = absent;
    else if (wereBehind) {
      await this.#confirm(approval.stream).then(
        () => {
          this.#behind = [];
        },
        () => {},
      );
    }
    return seen;
  }

  /**
   * Reads the set. While the store is unavailable, a server that was checked all the time is used with the known set: a
   * later join shows in the server's data, and waiting for a server that was dropped later only fails.
   */
  async #readSet(stream: Redis['stream']): Promise<StoredInSyncSet> {
    const known = this.#held()?.stream === stream ? this.#knownSet : undefined;
    const reading = this.#deps.servers.read();
    this.#knownSet = known ? await inTime(reading, known) : await reading;
    return this.#knownSet;
  }

  /**
   * Observes the server, whether or not it may be used.
   *
   * @throws {LogUnavailable}
   */
  async observe(): Promise<ConnectionObservation> {
    const { client } = this;
    if (client.status !== 'ready') return refuse(new LogUnavailable('there is no connection to Redis'));
    const { stream } = client;
    const atMs = performance.now();
    const [kept, role, epoch, name] = await Promise.all([
      this.#readSet(stream),
      this.#sendApproved(() => askRole(client)),
      this.#deps.epoch.read(client),
      this.#nameOf(stream),
      detectWaitAof(client),
    ]).catch((cause: Error) => {
      throw new LogUnavailable(`Redis: ${cause.message}`, { cause });
    });
    if (client.stream !== stream) throw new LogUnavailable('the connection to Redis was lost');
    if (!role) {
      this.#deps.notPrimary(client);
      throw new LogUnavailable(`Redis: ${name} is a replica`);
    }
    return { name, kept, role, epoch, stream, atMs };
  }

  /**
   * Resolves when every server that is waited for has acknowledged everything sent before.
   *
   * @throws {LogUnavailable}
   */
  async flush(): Promise<void> {
    const { stream } = await this.#approve();
    await this.#confirm(stream);
  }

  #sendApproved<T>(send: () => Promise<T>): Promise<T> {
    this.#sending();
    return send();
  }

  /** The approval, if it holds for what is sent now. An old one is renewed in the background. */
  #current(): Approval | undefined {
    const approval = this.#held();
    if (approval && performance.now() - approval.atMs > RENEW_FROM_MS) this.#approve().catch(() => {});
    return approval;
  }

  #held(): Approval | undefined {
    const approval = this.#approval;
    if (!approval || approval.stream !== this.client.stream || this.client.status !== 'ready') return undefined;
    return performance.now() - approval.atMs > APPROVAL_MS ? undefined : approval;
  }

  #approve(): Promise<Approval> {
    if (performance.now() < this.#refusedUntilMs) return refuse(this.#refused!);
    return this.#approving.run(() =>
      this.observe()
        .then((seen) => this.#recordPrimary(seen))
        .then((seen) => this.#judge(seen)),
    );
  }

  /**
   * Stores this server as the primary when the set names another one and this server may be used.
   *
   * @throws {LogUnavailable}
   */
  async #recordPrimary(seen: ConnectionObservation): Promise<ConnectionObservation> {
    const { name, kept } = seen;
    if (faultOf(seen) !== undefined) return seen;
    const led = withPrimary(kept.set!, name);
    if (led === kept.set) return seen;
    const { servers } = this.#deps;
    try {
      const kept = (await servers.replace(seen.kept, led))
        ? { version: seen.kept.version + 1, set: led }
        : await servers.read();
      this.#knownSet = kept;
      return { ...seen, kept };
    } catch (cause) {
      throw new LogUnavailable(`Redis: ${name} could not be noted as the primary`, { cause });
    }
  }

  #judge(seen: ConnectionObservation): Approval {
    const { name, kept, stream, atMs } = seen;
    const group = kept.set ? groupOf(kept.set, name) : undefined;
    const fault =
      faultOf(seen) ??
      (group!.primary === name ? undefined : `${group!.primary} was noted as the primary at the same moment`);
    if (fault !== undefined) {
      this.#approval = undefined;
      this.#deps.notInSync(fault);
      this.#refused = new LogUnavailable(`Redis: ${fault}`);
      this.#refusedUntilMs = performance.now() + REFUSAL_MS;
      throw this.#refused;
    }
    this.#approval = { stream, name, group: group!, atMs };
    return this.#approval;
  }

  /**
   * One round of acknowledgements serves everything that was sent in the same turn of the event loop and, while another
   * round is under way, everything that was sent until its end: a WAIT delays the commands behind it on its connection,
   * so that two in a row would cost twice.
   */
  #awaitReplicas({ stream }: Approval): Promise<void> {
    this.#nextRound ??= (this.#currentRound ?? new Promise<void>((resolve) => process.nextTick(resolve))).then(() => {
      this.#nextRound = undefined;
      const round = this.#confirm(stream);
      const ended: Promise<void> = round.then(
        () => this.#endRound(ended),
        () => this.#endRound(ended),
      );
      this.#currentRound = ended;
      return round;
    });
    return this.#nextRound;
  }

  #endRound(ended: Promise<void>): void {
    if (this.#currentRound === ended) this.#currentRound = undefined;
  }

  async #confirm(stream: Redis['stream']): Promise<void> {
    const { client } = this;
    const startedMs = performance.now();
    let waiting = 0;
    for (;;) {
      const approval = this.#current() ?? (await this.#approve());
      if (approval.stream !== stream) throw new LogUnavailable('the connection to Redis was lost');
      const awaited = serversToAwait(approval.group, approval.name);
      const leftMs = Math.max(1, WAIT_MS - (performance.now() - startedMs));
      // The replicas' offsets after WAIT are compared with the offset before it, because WAIT does not count what a
      // blocked read returned.
      const [epoch, at, , reached] = await Promise.all([
        this.#sendApproved(() => this.#deps.epoch.read(client)),
        askRole(client),
        waitForReplicas(client, Math.max(awaited.length, waiting), leftMs),
        askRole(client),
      ]).catch((cause: Error) => {
        throw new LogUnavailable(`Redis: ${cause.message}`, { cause });
      });
      if (!at || !reached) throw new LogUnavailable(`Redis: ${approval.name} is a replica now`);
      if (epoch > approval.group.epoch) {
        // The set has changed: other servers than this process knew must be waited for.
        const { group } = await this.#approveOn(stream);
        if (group.epoch < epoch) throw new LogUnavailable('Redis: the data know a newer set of servers than the store');
        continue;
      }
      const behind = awaited.filter((name) => (reached.replicas.get(name) ?? -1) < at.offset);
      if (behind.length === 0) {
        if (performance.now() - approval.atMs <= APPROVAL_MS) return;
        await this.#approveOn(stream);
        continue;
      }
      if (performance.now() - startedMs >= WAIT_MS) {
        this.#behind = behind;
        throw new LogUnavailable(`Redis: ${behind.join(' and ')} did not acknowledge in time`);
      }
      // Another replica was quicker than one that is waited for: the next WAIT asks for all connected replicas.
      waiting = reached.replicas.size;
      if (!behind.every((name) => reached.replicas.has(name))) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async #approveOn(stream: Redis['stream']): Promise<Approval> {
    const approval = await this.#approve();
    if (approval.stream !== stream) throw new LogUnavailable('the connection to Redis was lost');
    return approval;
  }

  async #nameOf(stream: Redis['stream']): Promise<ServerName> {
    if (this.#named?.stream !== stream) this.#named = { stream, name: await nameOfServer(this.client) };
    return this.#named.name;
  }
}

/** The result of `reading`, or `known` when it fails or takes too long. */
async function inTime(reading: Promise<StoredInSyncSet>, known: StoredInSyncSet): Promise<StoredInSyncSet> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<StoredInSyncSet>((resolve) => {
    timer = setTimeout(resolve, STORE_WITHIN_MS, known);
  });
  const read = reading.catch(() => known);
  return Promise.race([read, late]).finally(() => clearTimeout(timer));
}

/** The reason why a server may not be used, given the stored set and the epoch in its data. */
function faultOf({ name, kept, epoch }: ServerObservation): string | undefined {
  if (!kept.set) return 'the store has no set of servers in sync: it was forgotten';
  const group = groupOf(kept.set, name);
  if (!group) return `${name} is a primary outside the servers in sync: it may lack what was acknowledged`;
  if (group.written === 0) return `the set of servers in sync with ${name} is being formed`;
  if (epoch < group.written) return `${name} lacks what the servers in sync hold: it has lost its data`;
  return undefined;
}

/** Rejects, but not in the same turn of the event loop. */
export function refuse(error: LogUnavailable): Promise<never> {
  return new Promise((_, reject) => setTimeout(reject, REFUSE_AFTER_MS, error));
}
