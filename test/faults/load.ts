import { setTimeout as pause } from 'node:timers/promises';
import { ActorTimeout, LogUnavailable, Overloaded, Rejected } from '../../runtime/actor/errors.ts';
import { hashAddress } from '../../runtime/node/kind-registry.ts';
import { type ActorNode, createNode } from '../../runtime/node/node.ts';
import type { LogProvider } from '../../runtime/ports/log-provider.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { openRedisLog } from '../../runtime/providers/redis/open-redis-log.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../runtime/providers/system/system-random.ts';
import { type AccountReply, account } from '../../runtime/simulator/workload/account.ts';
import { counter } from '../../runtime/simulator/workload/counter.ts';
import { KINDS } from './kinds.ts';

/** What the sender knows of one of its messages. */
export interface Operation {
  /** Its name in the state of its recipient, and its request id. */
  readonly tag: string;
  /** In the order of the calls of this process. */
  readonly number: number;
  /** One lane has one message under way at a time. */
  readonly lane: string;
  readonly type: 'deposit' | 'transfer' | 'add';
  readonly actor: string;
  readonly receiver: string | null;
  readonly amount: number;
  /** `durable`: a told message is in the log. `unknown`: it may have happened or not. */
  knowledge: 'unknown' | 'durable' | 'answered' | 'refused';
  reply: AccountReply | null;
}

const ACTORS = 32;
const LANES = 6;
const PACE_MS = 25;
const FIRST_DEPOSIT = 100;
const ASK_TIMEOUT_MS = 1_000;
/** One ask in so many is never repeated, so that its outcome stays unknown when no answer comes. */
const GIVE_UP_ONE_IN = 8;
const ANSWERED_WITHIN_MS = 30_000;

/** A process without actors that asks and tells all the time, and remembers what it was promised. */
export class Load {
  readonly operations = new Map<string, Operation>();
  readonly #provider: LogProvider;
  readonly #node: ActorNode;
  readonly #accountsByPartition = new Map<number, string>();
  readonly #countersByPartition = new Map<number, string>();
  #running = false;
  #lanes: Promise<unknown> = Promise.resolve();
  #probes = 0;

  static async open(redisUrl: string, partitions: number, store: StateStore): Promise<Load> {
    const provider = await openRedisLog({ url: redisUrl, partitions, name: 'load' });
    const node = createNode({
      name: 'load',
      provider,
      store,
      clock: systemClock,
      random: systemRandom,
      definitions: KINDS,
      hostsActors: false,
      replicates: [],
    });
    await node.start();
    return new Load(provider, node);
  }

  private constructor(provider: LogProvider, node: ActorNode) {
    this.#provider = provider;
    this.#node = node;
    for (let number = 0; this.#accountsByPartition.size < node.partitions; number++) {
      this.#accountsByPartition.set(hashAddress(`account/p${number}`) % node.partitions, `p${number}`);
      this.#countersByPartition.set(hashAddress(`counter/c${number}`) % node.partitions, `c${number}`);
    }
  }

  get provider(): LogProvider {
    return this.#provider;
  }

  /** Fills the accounts, then keeps all lanes busy until `stop`. */
  async start(): Promise<void> {
    await Promise.all(
      Array.from({ length: ACTORS }, (_, number) => this.deposit('first', `a${number}`, FIRST_DEPOSIT)),
    );
    this.#running = true;
    this.#lanes = Promise.all(Array.from({ length: LANES }, (_, lane) => this.#work(`lane-${lane}`)));
    // Looked at in `stop`.
    this.#lanes.catch(() => {});
  }

  /** Resolves when every message under way has its outcome. */
  async stop(): Promise<void> {
    this.#running = false;
    await this.#lanes;
  }

  async close(): Promise<void> {
    this.#running = false;
    await this.#lanes.catch(() => {});
    await this.#node.stop();
    await this.#provider.close();
  }

  /** How long it takes until something asked from now on is answered in every partition, ms. */
  async timeToRecoverMs(): Promise<number> {
    const since = performance.now();
    await this.probe();
    return performance.now() - since;
  }

  /** Asks one account of each of these partitions (by default of all) until it answers. */
  async probe(partitions: Iterable<number> = this.#accountsByPartition.keys()): Promise<Operation[]> {
    const lane = `probe-${++this.#probes}`;
    return Promise.all(
      [...partitions].map((partition) => this.deposit(lane, this.#accountsByPartition.get(partition)!, 1)),
    );
  }

  /** Repeats the request, under its one id, until it is answered. */
  async deposit(lane: string, actor: string, amount: number): Promise<Operation> {
    const operation = this.#note({ lane, type: 'deposit', actor, receiver: null, amount });
    await this.#ask(operation, true);
    return operation;
  }

  /** Tells a counter that lives in the partition. */
  tellTo(partition: number, lane: string): Promise<Operation> {
    return this.tell(lane, this.#countersByPartition.get(partition)!, 1);
  }

  async tell(lane: string, actor: string, amount: number): Promise<Operation> {
    const operation = this.#note({ lane, type: 'add', actor, receiver: null, amount });
    try {
      await this.#node.messenger.tell(counter, actor, 'add', { tag: operation.tag, amount });
      operation.knowledge = 'durable';
    } catch (error) {
      if (error instanceof Overloaded) operation.knowledge = 'refused';
      else if (!(error instanceof LogUnavailable)) throw error;
    }
    return operation;
  }

  async #work(lane: string): Promise<void> {
    while (this.#running) {
      const dice = Math.random();
      const amount = 1 + Math.floor(Math.random() * 60);
      if (dice < 0.4) await this.tell(lane, `c${draw(ACTORS)}`, amount);
      else await this.#asks(lane, dice < 0.55 ? 'deposit' : 'transfer', amount);
      await pause(PACE_MS * (0.5 + Math.random()));
    }
  }

  async #asks(lane: string, type: 'deposit' | 'transfer', amount: number): Promise<void> {
    const from = draw(ACTORS);
    const receiver = type === 'transfer' ? `a${(from + 1 + draw(ACTORS - 1)) % ACTORS}` : null;
    const operation = this.#note({ lane, type, actor: `a${from}`, receiver, amount });
    await this.#ask(operation, draw(GIVE_UP_ONE_IN) > 0);
  }

  #note(fields: Omit<Operation, 'tag' | 'number' | 'knowledge' | 'reply'>): Operation {
    const number = this.operations.size + 1;
    const tag = `${fields.type}-${number}`;
    const operation: Operation = { tag, number, knowledge: 'unknown', reply: null, ...fields };
    this.operations.set(tag, operation);
    return operation;
  }

  async #ask(operation: Operation, untilAnswered: boolean): Promise<void> {
    const { tag, type, actor, receiver, amount } = operation;
    const { messenger } = this.#node;
    const options = { requestId: tag, timeoutMs: ASK_TIMEOUT_MS };
    const since = performance.now();
    do {
      try {
        operation.reply =
          type === 'transfer'
            ? await messenger.ask(account, actor, 'transfer', { tag, amount, to: receiver! }, options)
            : await messenger.ask(account, actor, 'deposit', { tag, amount }, options);
        operation.knowledge = 'answered';
        return;
      } catch (error) {
        if (error instanceof Rejected) {
          operation.knowledge = 'refused';
          return;
        }
        const again = error instanceof ActorTimeout || error instanceof LogUnavailable || error instanceof Overloaded;
        if (!again) throw error;
        if (performance.now() - since > ANSWERED_WITHIN_MS) {
          throw new Error(`${tag} to account/${actor} was not answered within ${ANSWERED_WITHIN_MS} ms`, {
            cause: error,
          });
        }
        await pause(PACE_MS);
      }
    } while (untilAnswered);
  }
}

function draw(below: number): number {
  return Math.floor(Math.random() * below);
}
