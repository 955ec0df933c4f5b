import type { Redis } from 'ioredis';
import { SingleFlight } from '../../../../async/single-flight.ts';
import { LogUnavailable } from '../../../ports/errors.ts';
import type { DataEpoch } from './data-epoch.ts';
import { groupOf, type ServerGroup, type ServerName, serversToAwait, withPrimary } from './in-sync-set.ts';
import type { InSyncSetStore, StoredInSyncSet } from './in-sync-set-store.ts';
import { askRole, type PrimaryRole } from './role.ts';
import { nameOfServer } from './server-name.ts';
import { detectWaitAof, waitForReplicas } from './wait-for-replicas.ts';

/** What all links of a log share. */
export interface LinkDeps {
  readonly servers: InSyncSetStore;
  readonly epoch: DataEpoch;
  /** Told that the server at the other end may not be used, and why; each time that it is found so. */
  readonly notInSync: (reason: string) => void;
  /** Told that the server at the other end is a replica: whoever is the primary is to be found anew. */
  readonly notPrimary: (client: Redis) => void;
}

/** What a look at the server showed. */
export interface ServerObservation {
  readonly name: ServerName;
  readonly kept: StoredInSyncSet;
  readonly role: PrimaryRole;
  readonly epoch: number;
}

interface Approval {
  /** The connection that it is for. */
  readonly stream: Redis['stream'];
  readonly name: ServerName;
  readonly group: ServerGroup;
  /** When the look that it rests on began, by the monotonic clock. */
  readonly atMs: number;
}

/** The same, and of which connection, from when on. */
type ConnectionObservation = ServerObservation & Pick<Approval, 'stream' | 'atMs'>;

/** How long an approval holds. A server is dropped no earlier than so long after it was last a primary in sync. */
const APPROVAL_MS = 2_000;
/** From so old on an approval is renewed in the background. */
const RENEW_FROM_MS = 700;
/** How long the store may take to tell the set where the one that is known will do. */
const STORE_WITHIN_MS = 500;
/** A server that may not be used is not asked again before. */
const REFUSAL_MS = 200;
/** So that whoever tries again at once leaves the process to others meanwhile. */
const REFUSE_AFTER_MS = 5;
/** How long a replica may take to acknowledge before the calls that wait for it are given up. */
const WAIT_MS = 1_000;

/**
 * A connection to a primary of which everything that is acknowledged or handed out is in every server in sync (law 12).
 *
 * Nothing is sent unless the server is a primary, is a member of its group as the store has it, and holds the data that members hold
 * (law `primary-in-sync`); that is asked anew for every connection, and every few seconds. `covered` resolves when every other
 * server of the group has acknowledged the replication stream up to what was written (law `wait-for-all`) or read (law `read-fence`).
 *
 * The servers are told apart by name: WAIT alone says how many have it, and not which.
 */
export class ServerLink {
  readonly client: Redis;
  readonly #deps: LinkDeps;
  readonly #sending: () => void;
  #approval: Approval | undefined;
  readonly #approving = new SingleFlight<Approval>();
  /** The set as it was read last. */
  #knownSet: StoredInSyncSet | undefined;
  /** Servers whose acknowledgement did not come in time; nothing is sent that they would be waited for. */
  #behind: readonly ServerName[] = [];
  /** The round that what is sent now will be covered by, and the one that is under way, which never rejects. */
  #nextRound: Promise<void> | undefined;
  #currentRound: Promise<void> | undefined;
  #refused: LogUnavailable | undefined;
  #refusedUntilMs = 0;
  #named: { readonly stream: Redis['stream']; readonly name: ServerName } | undefined;

  /** `sending` is called before each command is sent. */
  constructor(client: Redis, parts: LinkDeps, sending: () => void = () => {}) {
    this.client = client;
    this.#deps = parts;
    this.#sending = sending;
  }

  /** Why calls that must be covered are refused at the moment; undefined when they are not. */
  get refusal(): string | undefined {
    if (this.#behind.length > 0) return `Redis: ${this.#behind.join(' and ')} did not acknowledge in time`;
    return this.#current() ? undefined : 'Redis: no server in sync is known to be at the other end';
  }

  /** Sends to a primary in sync; what comes of it is waited for nowhere else. @throws {LogUnavailable} */
  send<T>(send: () => Promise<T>): Promise<T> {
    if (this.#current()) return this.#sendApproved(send);
    return this.#approve().then(() => this.send(send));
  }

  /** Sends, and resolves once every server in sync has what was written or read. @throws {LogUnavailable} with outcome unknown */
  sendReplicated<T>(send: () => Promise<T>): Promise<T> {
    if (this.#behind.length > 0) return refuse(new LogUnavailable(this.refusal!));
    const approval = this.#current();
    if (!approval) return this.#approve().then(() => this.sendReplicated(send));
    const answer = this.#sendApproved(send);
    return Promise.all([answer, this.#awaitReplicas(approval)]).then(([result]) => result);
  }

  /**
   * As `covered`, for a read that may wait long: the others are asked once its answer is there, and on the connection that brought it.
   * Nothing is asked for null.
   */
  async fenced<T>(read: () => Promise<T | null>): Promise<T | null> {
    const { stream } = this.#current() ?? (await this.#approve());
    const answer = await this.#sendApproved(read);
    if (answer !== null) await this.#confirm(stream);
    return answer;
  }

  /** Looks at the server anew, and whether all that are waited for acknowledge. @throws {LogUnavailable} when it may not be used */
  async verify(): Promise<ServerObservation> {
    const seen = await this.#recordPrimary(await this.observe());
    const approval = this.#judge(seen);
    const wereBehind = this.#behind.length > 0;
    // A WAIT for somebody who is not there would only hold up what else this connection carries.
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
   * While the store is away a server that was looked at all the time goes on being used by the set as it was: what has joined since
   * shows in its data, and what was dropped since is waited for in vain.
   */
  async #readSet(stream: Redis['stream']): Promise<StoredInSyncSet> {
    const known = this.#held()?.stream === stream ? this.#knownSet : undefined;
    const reading = this.#deps.servers.read();
    this.#knownSet = known ? await inTime(reading, known) : await reading;
    return this.#knownSet;
  }

  /** What can be seen of the server, whether or not it may be used. @throws {LogUnavailable} */
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

  /** Resolves when every server that is waited for has acknowledged all that was sent before. @throws {LogUnavailable} */
  async flush(): Promise<void> {
    const { stream } = await this.#approve();
    await this.#confirm(stream);
  }

  #sendApproved<T>(send: () => Promise<T>): Promise<T> {
    this.#sending();
    return send();
  }

  /** The approval, if it holds for what is sent now; soon renewed. */
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

  /** Where the set names another as the primary, of a server that may be used: notes this one. @throws {LogUnavailable} */
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
   * One round of questions serves all that was sent in the same turn of the event loop and, while another round is under way, all
   * that was sent until its end: a WAIT holds up what comes behind it on its connection, so that two in a row would cost twice.
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
      const waited = serversToAwait(approval.group, approval.name);
      const leftMs = Math.max(1, WAIT_MS - (performance.now() - startedMs));
      // The second answer counts from the first: what WAIT counts from is not what a blocked read has brought.
      const [epoch, at, , reached] = await Promise.all([
        this.#sendApproved(() => this.#deps.epoch.read(client)),
        askRole(client),
        waitForReplicas(client, Math.max(waited.length, waiting), leftMs),
        askRole(client),
      ]).catch((cause: Error) => {
        throw new LogUnavailable(`Redis: ${cause.message}`, { cause });
      });
      if (!at || !reached) throw new LogUnavailable(`Redis: ${approval.name} is a replica now`);
      if (epoch > approval.group.epoch) {
        // Others are waited for by now than this process knew.
        const { group } = await this.#approveOn(stream);
        if (group.epoch < epoch) throw new LogUnavailable('Redis: the data know a newer set of servers than the store');
        continue;
      }
      const behind = waited.filter((name) => (reached.replicas.get(name) ?? -1) < at.offset);
      if (behind.length === 0) {
        if (performance.now() - approval.atMs <= APPROVAL_MS) return;
        await this.#approveOn(stream);
        continue;
      }
      if (performance.now() - startedMs >= WAIT_MS) {
        this.#behind = behind;
        throw new LogUnavailable(`Redis: ${behind.join(' and ')} did not acknowledge in time`);
      }
      // Somebody else was quicker than one that is waited for: with all that are there the count says more.
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

/** What is read, or what is known where that fails or takes too long. */
async function inTime(reading: Promise<StoredInSyncSet>, known: StoredInSyncSet): Promise<StoredInSyncSet> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<StoredInSyncSet>((resolve) => {
    timer = setTimeout(resolve, STORE_WITHIN_MS, known);
  });
  const read = reading.catch(() => known);
  return Promise.race([read, late]).finally(() => clearTimeout(timer));
}

/** Why a server may not be used, by the set that was read and the epoch in its data. */
function faultOf({ name, kept, epoch }: ServerObservation): string | undefined {
  if (!kept.set) return 'the store has no set of servers in sync: it was forgotten';
  const group = groupOf(kept.set, name);
  if (!group) return `${name} is a primary outside the servers in sync: it may lack what was acknowledged`;
  if (group.written === 0) return `the set of servers in sync with ${name} is being formed`;
  if (epoch < group.written) return `${name} lacks what the servers in sync hold: it has lost its data`;
  return undefined;
}

/** Rejects, but not within the same turn of the event loop. */
export function refuse(error: LogUnavailable): Promise<never> {
  return new Promise((_, reject) => setTimeout(reject, REFUSE_AFTER_MS, error));
}
