import { expect } from 'chai';
import type { ActorDocument } from '../../runtime/ports/store.ts';
import { creditsOf } from '../../runtime/simulator/workload/account.ts';
import { sumOf } from '../../runtime/simulator/workload/counter.ts';
import { eventually } from '../support/eventually.ts';
import { type Cluster, PARTITIONS } from './cluster.ts';
import type { Operation } from './load.ts';

interface AccountState {
  readonly balance: number;
  readonly history: readonly string[];
}

interface CounterState {
  readonly count: number;
  readonly history: readonly string[];
}

/** All that the actors are, at rest. */
interface ActorTotals {
  readonly accounts: ReadonlyMap<string, AccountState>;
  readonly counters: ReadonlyMap<string, CounterState>;
  /** What each counter has told its sum. */
  readonly told: ReadonlyMap<string, number>;
  /** Messages that documents at rest name; they may have been published since. */
  readonly outboxes: number;
}

const PATIENCE = { timeoutMs: 60_000, everyMs: 100 };

/**
 * With the load ended and no fault any more: waits until the log is all handled, then holds what the actors are against
 * what the sender was promised; and again after every account was called into memory, which makes it publish whatever
 * its document still names. `lost` are the told messages that a test has itself destroyed.
 */
export async function audit(cluster: Cluster, lost: ReadonlySet<string> = new Set()): Promise<void> {
  const books = await eventually('everything to be handled and told', () => totalsAtRest(cluster), PATIENCE);
  checkTotals(cluster, books, lost);

  await Promise.all([...books.accounts.keys()].map((id) => cluster.load.deposit('audit', id, 1)));
  const emptied = async () => {
    const { outboxes, ...rest } = await totalsAtRest(cluster);
    if (outboxes > 0) throw new Error(`outboxes hold ${outboxes} messages`);
    return { outboxes, ...rest };
  };
  checkTotals(cluster, await eventually('outboxes to be empty', emptied, PATIENCE), lost);
  expect(await cluster.store.deadLetters({ limit: 1 }), 'dead letters').to.deep.equal([]);
}

function checkTotals({ load: { operations } }: Cluster, books: ActorTotals, lost: ReadonlySet<string>): void {
  for (const [id, state] of books.accounts) checkAccount(id, state, operations, books);
  for (const [id, state] of books.counters) checkCounter(id, state, operations);
  for (const operation of operations.values()) checkPromise(operation, books, lost);
  let money = 0;
  for (const { tag, type, actor, amount } of operations.values()) {
    if (type === 'deposit' && books.accounts.get(actor)?.history.includes(tag)) money += amount;
  }
  for (const { balance } of books.accounts.values()) money -= balance;
  expect(money, 'what was deposited less what the accounts hold').to.equal(0);
}

/** Throws, saying what is still under way. */
async function totalsAtRest(cluster: Cluster): Promise<ActorTotals> {
  const { log } = cluster.load.provider;
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const { length } = await log.tail(partition);
    if (length > 0) throw new Error(`partition ${partition} holds ${length} messages`);
  }
  const books = await readTotals(cluster);
  for (const [id, { count }] of books.counters) {
    if (books.told.get(id) !== count) throw new Error(`counter/${id} has ${count}, its sum ${books.told.get(id)}`);
  }
  return books;
}

async function readTotals({ store }: Cluster): Promise<ActorTotals> {
  let outboxes = 0;
  const states = async <State>(kind: string): Promise<Map<string, State>> => {
    const found = new Map<string, State>();
    for await (const { id, state, outbox } of store.scan(kind) as AsyncIterable<ActorDocument>) {
      found.set(id, state as State);
      outboxes += outbox.length;
    }
    return found;
  };
  const accounts = await states<AccountState>('account');
  const counters = await states<CounterState>('counter');
  const told = new Map<string, number>();
  for (const [id, { totals }] of await states<{ totals: Record<string, { count: number }> }>('sum')) {
    for (const [from, { count }] of Object.entries(totals)) if (`${sumOf(from)}` === id) told.set(from, count);
  }
  return { accounts, counters, told, outboxes };
}

function operationOf(tag: string, operations: ReadonlyMap<string, Operation>, where: string): Operation {
  const operation = operations.get(tag);
  if (!operation) throw new Error(`${where} has ${tag}, which nobody sent`);
  return operation;
}

function checkCounter(id: string, { count, history }: CounterState, operations: ReadonlyMap<string, Operation>): void {
  const where = `counter/${id}`;
  const done = history.map((tag) => operationOf(tag, operations, where));
  expect(new Set(history).size, `${where}: each once`).to.equal(history.length);
  expect(count, where).to.equal(done.reduce((sum, { amount }) => sum + amount, 0));
  for (const [index, { tag, number, actor }] of done.entries()) {
    expect(actor, `${tag} at ${where}`).to.equal(id);
    if (index > 0) expect(number, `${where}: in the order they were told`).to.be.above(done[index - 1]!.number);
  }
}

/**
 * One account's history against its balance, against what was sent to it, and against the accounts that paid into it.
 */
function checkAccount(
  id: string,
  { balance, history }: AccountState,
  operations: ReadonlyMap<string, Operation>,
  { accounts }: ActorTotals,
): void {
  const where = `account/${id}`;
  expect(new Set(history).size, `${where}: each once`).to.equal(history.length);
  let sum = 0;
  const lastOfLane = new Map<string, number>();
  const lastOfPayer = new Map<string, number>();
  for (const tag of history) {
    const slash = tag.indexOf('/');
    const operation = operationOf(slash < 0 ? tag : tag.slice(0, slash), operations, where);
    if (slash < 0) {
      expect(operation.actor, `${tag} at ${where}`).to.equal(id);
      sum += operation.type === 'transfer' ? -2 * operation.amount : operation.amount;
      expect(sum, `${where} after ${tag}`).to.be.at.least(0);
      expect(operation.number, `${where}: ${operation.lane} in order`).to.be.above(lastOfLane.get(operation.lane) ?? 0);
      lastOfLane.set(operation.lane, operation.number);
    } else {
      expect(operation.receiver, `${tag} at ${where}`).to.equal(id);
      sum += operation.amount;
      const caused = accounts.get(operation.actor)!.history.indexOf(operation.tag);
      expect(caused, `${tag} at ${where}: its transfer`).to.be.at.least(0);
      const place = 2 * caused + creditsOf(operation.tag).indexOf(tag);
      expect(place, `${where}: ${tag} in order`).to.be.above(lastOfPayer.get(operation.actor) ?? -1);
      lastOfPayer.set(operation.actor, place);
    }
  }
  expect(balance, where).to.equal(sum);
  for (const tag of history) {
    const operation = operations.get(tag);
    if (operation?.type !== 'transfer') continue;
    expect(accounts.get(operation.receiver!)?.history, `what ${tag} sent`).to.include.members(creditsOf(tag));
  }
}

function checkPromise(operation: Operation, books: ActorTotals, lost: ReadonlySet<string>): void {
  const { tag, type, actor, knowledge, reply } = operation;
  const histories = type === 'add' ? books.counters : books.accounts;
  const history = histories.get(actor)?.history ?? [];
  if (knowledge === 'refused') expect(history, `${tag} was refused`).not.to.include(tag);
  if (knowledge === 'durable' && !lost.has(tag)) expect(history, `${tag} was acknowledged`).to.include(tag);
  if (knowledge === 'answered') {
    expect(history[reply!.index], `${tag} was answered to be number ${reply!.index} of ${actor}`).to.equal(tag);
  }
}
