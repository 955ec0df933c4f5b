import type { AnyActorDefinition } from '../../actor/define-actor.ts';
import { ActorTimeout, LogUnavailable, Overloaded, Parked, Rejected } from '../../actor/errors.ts';
import { encodeEnvelope } from '../../node/envelope.ts';
import { hashAddress } from '../../node/kind-registry.ts';
import type { HistoryObserver } from '../auditor/history-observer.ts';
import type { Operation, Operations } from '../auditor/operations.ts';
import type { Violations } from '../auditor/violations.ts';
import type { Cluster, Member } from '../cluster.ts';
import type { Scenario } from '../scenario.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { account } from './account.ts';
import { counter } from './counter.ts';
import { diary } from './diary.ts';
import { session } from './session.ts';

const USERS = 4;
const RARE_FRACTION = 30;
const TELLERS_PER_PROCESS = 2;
const REQUEST_TIMEOUT_MS = 4_000;
const POISON = 0.03;
const GARBAGE = 0.01;
const UNAWAITED = 0.3;
const HOUR_MS = 3_600_000;

interface Draft {
  readonly definition: AnyActorDefinition;
  readonly id: string;
  readonly type: string;
  readonly amount: number;
  readonly to?: string;
}

/**
 * Generates the traffic. Tellers live in a process and die with it. Users outlive processes, and repeat a request under
 * the same request id at any process that answers until they know its outcome.
 */
export class Generator {
  readonly #cluster: Cluster;
  readonly #scenario: Scenario;
  readonly #random: SeededRandom;
  readonly #operations: Operations;
  readonly #observer: HistoryObserver;
  readonly #violations: Violations;
  #active = true;
  /** The requests whose outcome their user does not know yet. */
  #open = 0;

  constructor(
    cluster: Cluster,
    scenario: Scenario,
    random: SeededRandom,
    audit: { readonly operations: Operations; readonly observer: HistoryObserver; readonly violations: Violations },
  ) {
    this.#cluster = cluster;
    this.#scenario = scenario;
    this.#random = random;
    this.#operations = audit.operations;
    this.#observer = audit.observer;
    this.#violations = audit.violations;
  }

  get openRequests(): number {
    return this.#open;
  }

  begin(): void {
    this.#cluster.onStarted = (member) => {
      for (let teller = 0; teller < TELLERS_PER_PROCESS; teller += 1) void this.#tellFrom(member);
    };
    for (let lethal = 0; lethal < this.#scenario.lethal; lethal += 1) {
      const delayMs = this.#random.next() * this.#scenario.faultsMs;
      this.#cluster.world.time.after(delayMs, 'a lethal message', () => {
        void this.#tellUntilDurable({ definition: account, id: 'a0', type: 'lethal', amount: 0 });
      });
    }
    for (let user = 0; user < USERS; user += 1) void this.#use();
  }

  /** Stops beginning new operations. */
  end(): void {
    this.#active = false;
  }

  /** Sends one more message to every actor, so that everything that waits for the next message gets it. */
  messageAll(): void {
    const drafts: Draft[] = [];
    for (let index = 0; index < this.#scenario.actors; index += 1) {
      drafts.push({ definition: account, id: `a${index}`, type: 'deposit', amount: 1 });
    }
    for (let index = 0; index < RARE_FRACTION; index += 1) {
      drafts.push({ definition: counter, id: `c${index}`, type: 'add', amount: 1 });
      drafts.push({ definition: session, id: `n${index}`, type: 'note', amount: 0 });
    }
    for (const draft of drafts) {
      if (draft.definition === counter) void this.#tellUntilDurable(draft);
      else void this.#request(draft);
    }
  }

  async #tellFrom(member: Member): Promise<void> {
    while (this.#active) {
      await new Promise<void>((resolve) => member.process.after(this.#thinkMs(), resolve));
      if (!this.#active) return;
      if (this.#random.chance(GARBAGE)) void this.#sendGarbage(member);
      const draft = this.#draft();
      const told = draft.definition === diary ? this.#appendOnce(member, draft) : this.#tell(member, draft);
      if (!this.#random.chance(UNAWAITED)) await told;
    }
  }

  async #tell(member: Member, draft: Draft): Promise<Operation> {
    const operation = this.#operationOf(draft, member.process.name);
    try {
      await member.node.messenger.tell(draft.definition, draft.id, draft.type as never, bodyOf(draft, operation));
      operation.knowledge = 'durable';
    } catch (error) {
      if (error instanceof Overloaded) operation.knowledge = 'refused';
      else if (!(error instanceof LogUnavailable)) this.#violations.add('errors are typed', `tell: ${error}`);
    }
    return operation;
  }

  /** Tells repeatedly until the message is durable, because a partition may be full. */
  async #tellUntilDurable(draft: Draft): Promise<void> {
    this.#open += 1;
    for (;;) {
      const { reachable } = this.#cluster;
      const told = reachable.length > 0 && this.#tell(this.#random.pick(reachable), draft);
      const patience = this.#cluster.world.time.sleep(REQUEST_TIMEOUT_MS, 'a teller loses patience');
      const operation = await Promise.race([told, patience]);
      if (operation && operation.knowledge === 'durable') break;
      await this.#cluster.world.time.sleep(this.#thinkMs(), 'told again');
    }
    this.#open -= 1;
  }

  /** Appends an entry once, as an impression must be: repeats the append until its outcome is known. */
  async #appendOnce(member: Member, draft: Draft): Promise<void> {
    const operation = this.#operationOf(draft, null);
    const { log } = this.#cluster;
    const { losses } = log;
    const to = `${diary.kind}/${draft.id}`;
    const entry = {
      id: operation.tag,
      bucketMs: Math.floor(log.nowMs / HOUR_MS) * HOUR_MS,
      expiresAtMs: log.nowMs + HOUR_MS,
      payload: encodeEnvelope({ to, type: draft.type, body: bodyOf(draft, operation) }),
    };
    const partition = hashAddress(to) % this.#scenario.partitions;
    for (;;) {
      const [outcome] = await member.log.log.appendOnce(partition, [entry]).catch(() => [null]);
      if (log.losses !== losses) operation.mayRepeat = true;
      if (outcome === 'appended' || outcome === 'repeated') break;
    }
    operation.knowledge = 'durable';
  }

  async #sendGarbage(member: Member): Promise<void> {
    const garbage = { kind: 'nobody', id: 'nobody', type: 'garbage', amount: 0, sender: null };
    const operation = this.#operations.begin(garbage);
    const partition = this.#random.below(this.#scenario.partitions);
    try {
      await member.log.log.append(partition, [operation.tag]);
      operation.knowledge = 'durable';
    } catch {
      // It may be there or not.
    }
  }

  async #use(): Promise<void> {
    while (this.#active) {
      await this.#cluster.world.time.sleep(this.#thinkMs(), 'a user thinks');
      if (this.#active) await this.#request(this.#draft([account, session]));
    }
  }

  async #request(draft: Draft): Promise<void> {
    const operation = this.#operationOf(draft, null);
    this.#open += 1;
    for (;;) {
      const { reachable } = this.#cluster;
      const attempt = reachable.length > 0 ? this.#ask(this.#random.pick(reachable), draft, operation) : null;
      const patience = this.#cluster.world.time.sleep(REQUEST_TIMEOUT_MS, 'a user loses patience');
      await Promise.race([attempt ?? patience, patience]);
      if (operation.knowledge !== 'unknown') break;
    }
    this.#open -= 1;
  }

  async #ask(member: Member, draft: Draft, operation: Operation): Promise<void> {
    const { definition, id, type } = draft;
    try {
      const options = { requestId: operation.tag };
      const body = bodyOf(draft, operation);
      operation.reply = await member.node.messenger.ask(definition, id, type as never, body, options);
      operation.knowledge = 'answered';
      if (!this.#observer.everSaved.has(operation.tag)) {
        this.#violations.add('nothing unsaved leaves', `${operation.tag} was answered before its effect was saved`);
      }
    } catch (error) {
      if (error instanceof Rejected) operation.knowledge = 'refused';
      else if (error instanceof Parked) operation.knowledge = 'parked';
      else if (!(error instanceof ActorTimeout || error instanceof Overloaded)) {
        this.#violations.add('errors are typed', `ask: ${error}`);
      }
    }
  }

  #operationOf({ definition, id, type, amount }: Draft, sender: string | null): Operation {
    return this.#operations.begin({ kind: definition.kind, id, type, amount, sender });
  }

  #draft(kinds: readonly AnyActorDefinition[] = [account, counter, session, diary]): Draft {
    const random = this.#random;
    const definition = random.pick(kinds);
    const index = random.below(this.#scenario.actors);
    const poison = definition !== diary && random.chance(POISON);
    const amount = 1 + random.below(100);
    if (definition === account) {
      const type = poison ? 'poison' : random.pick(['deposit', 'transfer']);
      return { definition, id: `a${index}`, type, amount, to: `a${random.below(this.#scenario.actors)}` };
    }
    if (definition === diary) return { definition, id: `d${index}`, type: 'write', amount };
    // Some actors rarely get messages: a change that a replica or a sum misses of them stays missing for long.
    const seldom = Math.floor(RARE_FRACTION * random.next() ** 3);
    if (definition === counter) return { definition, id: `c${seldom}`, type: poison ? 'poison' : 'add', amount };
    return { definition, id: `n${seldom}`, type: poison ? 'poison' : random.pick(['note', 'note', 'close']), amount };
  }

  #thinkMs(): number {
    return this.#random.exponential(this.#scenario.thinkMs);
  }
}

function bodyOf({ amount, to }: Draft, { tag }: Operation): never {
  return { tag, amount, ...(to === undefined ? {} : { to }) } as never;
}
