interface Caller<Outcome> {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

interface PartitionQueue<Item, Outcome> {
  readonly partition: number;
  /** The items that wait for a call, and their callers. */
  items: Item[];
  callers: Caller<Outcome>[];
  /** Calls under way, and one that is about to be made. */
  calls: number;
  /** Items without an outcome yet. */
  open: number;
}

const MAX_BATCH = 500;
/**
 * Upper bound of calls under way for one partition. With 1, an impression also waits for the sync before its own (a
 * twentieth of the rate at 64 in flight); without a bound there would be no batches.
 */
const CALLS_PER_PARTITION = 4;

/** Sends items of one partition, in order, and resolves with the outcome of each. */
export type SendBatch<Item, Outcome> = (partition: number, items: readonly Item[]) => Promise<readonly Outcome[]>;

/**
 * Group commit: each partition has a few calls under way, and all that arrives meanwhile shares the next call. Batches
 * grow with traffic, and no item waits for a timer.
 */
export class PartitionBatches<Item, Outcome> {
  readonly #send: SendBatch<Item, Outcome>;
  readonly #queues: PartitionQueue<Item, Outcome>[];
  /** The queues whose next call is about to be made. */
  #due: PartitionQueue<Item, Outcome>[] = [];
  #waiting = 0;

  constructor(partitions: number, send: SendBatch<Item, Outcome>) {
    this.#send = send;
    this.#queues = Array.from({ length: partitions }, (_, partition) => ({
      partition,
      items: [],
      callers: [],
      calls: 0,
      open: 0,
    }));
  }

  /** Number of items without an outcome yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The same number for one partition. */
  waitingFor(partition: number): number {
    return this.#queues[partition]!.open;
  }

  /** Resolves with the item's outcome; rejects if the call that sends it does. */
  add(partition: number, item: Item): Promise<Outcome> {
    const queue = this.#queues[partition]!;
    return new Promise((resolve, reject) => {
      queue.items.push(item);
      queue.callers.push({ resolve, reject });
      this.#waiting += 1;
      queue.open += 1;
      // A call that is about to be made takes this item along.
      if (queue.items.length > 1 || queue.calls === CALLS_PER_PARTITION) return;
      queue.calls += 1;
      // After this turn of the event loop, so that items that arrive together are sent together, to all partitions.
      if (this.#due.push(queue) === 1) setImmediate(() => this.#drainDue());
    });
  }

  #drainDue(): void {
    const due = this.#due;
    this.#due = [];
    for (const queue of due) this.#sendNext(queue);
  }

  /** Sends the next batch; when it is answered, what has come in the meantime. */
  #sendNext(queue: PartitionQueue<Item, Outcome>): void {
    if (queue.items.length === 0) {
      queue.calls -= 1;
      return;
    }
    const { items, callers } = queue;
    queue.items = items.splice(MAX_BATCH);
    queue.callers = callers.splice(MAX_BATCH);
    this.#call(queue.partition, items).then(
      (outcomes) => {
        for (let index = 0; index < callers.length; index++) callers[index]!.resolve(outcomes[index]!);
        this.#answered(queue, items.length);
      },
      (error) => {
        for (const { reject } of callers) reject(error);
        this.#answered(queue, items.length);
      },
    );
  }

  /** Rejects also where the call throws at once. */
  #call(partition: number, items: readonly Item[]): Promise<readonly Outcome[]> {
    try {
      return this.#send(partition, items);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #answered(queue: PartitionQueue<Item, Outcome>, count: number): void {
    this.#waiting -= count;
    queue.open -= count;
    this.#sendNext(queue);
  }
}
