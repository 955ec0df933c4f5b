/** The known status of an operation of the workload. */
export type OperationStatus =
  /** The outcome is unknown: it may have happened, or may happen later. */
  | 'unknown'
  /** Told, and durable in the log. */
  | 'durable'
  /** Asked, and answered. */
  | 'answered'
  /** Refused by the actor, or never sent: it must have no effect. */
  | 'refused'
  /** The asker was told that the message was parked. */
  | 'parked';

/** One message that the generator sent, and what is known of it. */
export interface Operation {
  readonly tag: string;
  readonly kind: string;
  readonly id: string;
  readonly type: string;
  readonly amount: number;
  /** Told messages: the process that sent it and where among its messages. Null for asks, which may be repeated. */
  readonly sender: string | null;
  readonly number: number;
  knowledge: OperationStatus;
  reply: unknown;
  /** The log server lost entries while this was under way: what it remembered of it may be gone too. */
  mayRepeat: boolean;
}

/** The model: all operations that the generator requested of the cluster. */
export class Operations {
  readonly all = new Map<string, Operation>();
  /** Tags of what the log server lost before any node had saved its effect. */
  readonly lost = new Set<string>();
  #count = 0;

  begin(operation: Omit<Operation, 'tag' | 'number' | 'knowledge' | 'reply' | 'mayRepeat'>): Operation {
    this.#count += 1;
    const { kind, id, type } = operation;
    const begun: Operation = {
      ...operation,
      tag: `${kind}/${id}!${type}-${this.#count}`,
      number: this.#count,
      knowledge: 'unknown',
      reply: undefined,
      mayRepeat: false,
    };
    this.all.set(begun.tag, begun);
    return begun;
  }
}
