/**
 * Every name that the provider uses in Redis. What one script touches shares one hash tag, and so one slot of a Redis
 * Cluster: a partition is one tag, the catalogue another.
 */
export class Keys {
  /** What every key begins with. */
  readonly prefix: string;

  /** @throws {RangeError} when the prefix would break the hash tags. */
  constructor(prefix: string) {
    if (prefix === '' || /[{}]/.test(prefix))
      throw new RangeError(`a key prefix is not empty and has no braces: "${prefix}"`);
    this.prefix = prefix;
  }

  /** String: how many partitions there are. */
  partitions(): string {
    return `{${this.prefix}}:partitions`;
  }

  /** Sorted set: who lives, by the end of their time. */
  members(): string {
    return `{${this.prefix}}:members`;
  }

  /** Stream: the messages of a partition, each in its field `m`. */
  stream(partition: number): string {
    return `{${this.prefix}:${partition}}:stream`;
  }

  /** Hash: owner, epoch, expires, cursor, note of a partition. */
  lease(partition: number): string {
    return `{${this.prefix}:${partition}}:lease`;
  }

  /** Hash: of the ids of one hour of issue with a provisional entry, its note. There is none as a rule. */
  notes(partition: number, bucketMs: number): string {
    return `{${this.prefix}:${partition}}:notes:${bucketMs}`;
  }

  /** Set: the ids of one hour of issue that the partition has seen. */
  seen(partition: number, bucketMs: number): string {
    return `{${this.prefix}:${partition}}:seen:${bucketMs}`;
  }

  /** Stream: the catalogue log. */
  catalogue(): string {
    return `{${this.prefix}:catalogue}:stream`;
  }

  /** String: the number of the newest entry of the catalogue log. */
  catalogueNumber(): string {
    return `{${this.prefix}:catalogue}:number`;
  }

  /** Channel: the catalogue log has grown. */
  catalogueChannel(): string {
    return `{${this.prefix}:catalogue}:grown`;
  }

  /** Channel: partitions have grown. Redis Cluster only. */
  appendedChannel(): string {
    return `{${this.prefix}}:appended`;
  }

  /** String: what `counted` has consumed in its window. Each in a slot of its own. */
  rate(counted: string): string {
    return `{${this.prefix}:rate:${counted}}`;
  }

  /** Sorted set: marks by their end. All of one group are in one slot; the length keeps group and key apart. */
  marks(group: string, key: string): string {
    return `{${this.prefix}:marks:${group.length}:${group}}:${key}`;
  }

  /** String: a sum. Each in a slot of its own. */
  sum(key: string): string {
    return `{${this.prefix}:sum:${key}}`;
  }

  /** Channel: answers to whoever listens at `address`. */
  replyChannel(address: string): string {
    return `{${this.prefix}}:reply:${address}`;
  }
}
