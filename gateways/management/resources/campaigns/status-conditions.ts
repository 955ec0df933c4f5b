import { campaign } from '#actors/campaign/campaign';
import type { ActorDocument, Query, QueryResult, StateStore } from '#runtime/ports/store';

type Where = NonNullable<Query['where']>;

/**
 * The conditions for a status; a campaign of this status meets exactly one of them. The saved status does not reflect
 * budgets: a spent budget pauses the campaign in addition, that of a day on that day alone.
 */
export function statusConditions(status: 'active' | 'paused' | 'retired' | undefined, day: string): readonly Where[] {
  switch (status) {
    case undefined:
      return [{}];
    case 'active':
      return [{ status: 'active', exhaustedDay: { not: day }, totalExhausted: { not: true } }];
    case 'paused':
      return [
        { status: 'paused' },
        { status: 'active', exhaustedDay: day },
        { status: 'active', exhaustedDay: { not: day }, totalExhausted: true },
      ];
    case 'retired':
      return [{ status: 'retired' }];
  }
}

/**
 * The number of campaigns of one condition that one read loads. A deep page costs more reads, and never the memory of
 * all campaigns before it.
 */
const AT_A_TIME = 500;

/** Reads a page of all campaigns that meet `where` and one of the conditions, the oldest first. */
export async function queryAll(
  store: Pick<StateStore, 'query'>,
  where: Where,
  conditions: readonly Where[],
  skip: number,
  limit: number,
): Promise<{ readonly documents: readonly ActorDocument[]; readonly total: number }> {
  const ask = (condition: Where, from: number, limitPerRead: number) =>
    store.query(campaign.kind, {
      where: { ...where, ...condition },
      orderBy: 'createdAt',
      skip: from,
      limit: limitPerRead,
    });
  const [only, ...more] = conditions;
  if (more.length === 0) return ask(only!, skip, limit);
  const most = Math.min(AT_A_TIME, skip + limit);
  const firsts = await Promise.all(conditions.map((condition) => ask(condition, 0, most)));
  const total = firsts.reduce((sum, first) => sum + first.total, 0);
  const documents: ActorDocument[] = [];
  if (skip >= total) return { documents, total };
  const queues = firsts.map(
    (first, index) => new ConditionCursor(first, (from) => ask(conditions[index]!, from, most)),
  );
  for (let passed = 0; documents.length < limit; passed += 1) {
    const queue = queues.reduce((oldest, other) => (byAge(other.head, oldest.head) < 0 ? other : oldest));
    if (queue.head === undefined) break;
    if (passed >= skip) documents.push(queue.head);
    if (documents.length < limit) await queue.shift();
  }
  return { documents, total };
}

type ReadFrom = (from: number) => Promise<QueryResult>;

/** A cursor over the campaigns of one condition, the oldest first. */
class ConditionCursor {
  #documents: readonly ActorDocument[];
  readonly #total: number;
  #before = 0;
  #at = 0;
  readonly #read: ReadFrom;

  constructor(first: QueryResult, read: ReadFrom) {
    this.#documents = first.documents;
    this.#total = first.total;
    this.#read = read;
  }

  /** The campaign at the cursor; undefined at the end. */
  get head(): ActorDocument | undefined {
    return this.#documents[this.#at];
  }

  async shift(): Promise<void> {
    this.#at += 1;
    if (this.#at < this.#documents.length) return;
    this.#before += this.#at;
    this.#at = 0;
    this.#documents = this.#before >= this.#total ? [] : (await this.#read(this.#before)).documents;
  }
}

/** Orders campaigns by age; the end of a cursor comes last. */
function byAge(one: ActorDocument | undefined, other: ActorDocument | undefined): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  const [a, b] = [one, other].map(({ state, id }) => `${(state as { readonly createdAt: string }).createdAt} ${id}`);
  return a! < b! ? -1 : 1;
}
