/** An event at a virtual instant. */
export interface ScheduledEvent {
  readonly atMs: number;
  /** The order of events at the same instant. */
  readonly tie: number;
  readonly label: string;
  /** Null once cancelled. */
  fire: (() => void) | null;
}

/** Events by instant, then by tie: a binary heap. */
export class EventQueue {
  readonly #heap: ScheduledEvent[] = [];

  get size(): number {
    return this.#heap.length;
  }

  push(event: ScheduledEvent): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(event);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent] as ScheduledEvent;
      if (!before(event, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = event;
  }

  /** The earliest event that was not cancelled, left in place. */
  peek(): ScheduledEvent | undefined {
    while (this.#heap.length > 0 && this.#heap[0]?.fire === null) this.#removeFirst();
    return this.#heap[0];
  }

  pop(): ScheduledEvent | undefined {
    return this.peek() && this.#removeFirst();
  }

  #removeFirst(): ScheduledEvent | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1] as ScheduledEvent, heap[child] as ScheduledEvent))
        child += 1;
      if (!before(heap[child] as ScheduledEvent, last)) break;
      heap[index] = heap[child] as ScheduledEvent;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}

function before(left: ScheduledEvent, right: ScheduledEvent): boolean {
  return left.atMs < right.atMs || (left.atMs === right.atMs && left.tie < right.tie);
}
