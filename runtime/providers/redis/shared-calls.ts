interface PendingCall<Call, Answer> {
  readonly call: Call;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface OpenBatch<Call, Answer> {
  readonly calls: PendingCall<Call, Answer>[];
  size: number;
}

/**
 * Lets calls of one group that are made in one callback of the event loop share a command. Calls that share one succeed
 * and fail together.
 */
export class SharedCalls<Group, Call, Answer> {
  readonly #mostAtOnce: number;
  readonly #sizeOf: (call: Call) => number;
  readonly #send: (group: Group, calls: readonly Call[]) => Promise<readonly Answer[]>;
  /** The commands that are about to be sent; all that are there leave it at once (why: see `UnderWay`). */
  #open = new Map<Group, OpenBatch<Call, Answer>>();

  /**
   * @param mostAtOnce upper bound of the sizes in a command that calls share: Redis serves nobody else meanwhile
   * @param send resolves with the answers in the order of the calls
   */
  constructor(
    mostAtOnce: number,
    sizeOf: (call: Call) => number,
    send: (group: Group, calls: readonly Call[]) => Promise<readonly Answer[]>,
  ) {
    this.#mostAtOnce = mostAtOnce;
    this.#sizeOf = sizeOf;
    this.#send = send;
  }

  add(group: Group, call: Call): Promise<Answer> {
    const size = this.#sizeOf(call);
    return new Promise((resolve, reject) => {
      let batch = this.#open.get(group);
      const full = batch !== undefined && batch.size + size > this.#mostAtOnce ? batch : null;
      if (batch === undefined || full !== null) {
        batch = { calls: [], size: 0 };
        if (this.#open.size === 0) process.nextTick(() => this.#flushAll());
        this.#open.set(group, batch);
      }
      batch.calls.push({ call, resolve, reject });
      batch.size += size;
      if (full !== null) void this.#flush(group, full);
    });
  }

  #flushAll(): void {
    const all = this.#open;
    this.#open = new Map();
    for (const [group, batch] of all) void this.#flush(group, batch);
  }

  async #flush(group: Group, { calls }: OpenBatch<Call, Answer>): Promise<void> {
    try {
      const answers = await this.#send(
        group,
        calls.map(({ call }) => call),
      );
      for (let at = 0; at < calls.length; at++) calls[at]!.resolve(answers[at]!);
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }
}
