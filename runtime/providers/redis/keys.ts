/**
 * All names that the provider uses in Redis. In a Redis Cluster the keys of one script share one hash tag, and so one
 * slot: each partition has one tag, and the catalogue another.
 */
export class Keys {
  /** The prefix of every key. */
  readonly prefix: string;

  /** @throws {RangeError} when the prefix would break the hash tags. */
  constructor(prefix: string) {
    if (prefix === '' || /[{}]/.test(prefix))
      throw new RangeError(`a key prefix is not empty and has no braces: "${prefix}"`);
    this.prefix = prefix;
  }

  /** String: the number of partitions. */
  partitions(): string {
    return `{${this.prefix}}:partitions`;
  }

  /** Sorted set: the living members, by the end of their time. */
  members(): string {
    return `{${this.prefix}}:members`;
  }

  /** Sorted set: the living members that are unfit, by the end of their time. Releases up to 0.4 do not know it. */
  unfitMembers(): string {
    return `{${this.prefix}}:members:unfit`;
  }

  /** Hash: the condition that each member reported. */
  conditions(): string {
    return `{${this.prefix}}:members:conditions`;
  }

  /** Stream: the messages of a partition, each in its field `m`. */
  stream(partition: number): string {
    return `{${this.prefix}:${partition}}:stream`;
  }

  /** Hash: owner, epoch, expires, cursor, token, note of a partition. */
  lease(partition: number): string {
    return `{${this.prefix}:${partition}}:lease`;
  }

  /** Hash: for each id of one hour of issue with a provisional entry, its note. The hash is usually absent. */
  notes(partition: number, bucketMs: number): string {
    return `{${this.prefix}:${partition}}:notes:${bucketMs}`;
  }

  /** Set: the ids of one hour of issue that the partition has seen. */
  seen(partition: number, bucketMs: number): string {
    return `{${this.prefix}:${partition}}:seen:${bucketMs}`;
  }

  /** Hash: up to where the partition has each source that is relayed to it. */
  relayed(partition: number): string {
    return `{${this.prefix}:${partition}}:relayed`;
  }

  /** Stream: the relayed messages that came too late. The stream is usually absent. */
  tooLate(partition: number): string {
    return `{${this.prefix}:${partition}}:too-late`;
  }

  /** Set: the relayed ids of one hour of issue that came from elsewhere than where they were sold. */
  foreign(partition: number, bucketMs: number): string {
    return `{${this.prefix}:${partition}}:foreign:${bucketMs}`;
  }

  /** Hash: the shared records of a group, by id. */
  records(group: number): string {
    return `{${this.prefix}:${group}}:records`;
  }

  /** String: the name of this log's data. */
  identity(): string {
    return `{${this.prefix}}:identity`;
  }

  /** Stream: the catalogue log. */
  catalogue(): string {
    return `{${this.prefix}:catalogue}:stream`;
  }

  /** String: the number of the newest entry of the catalogue log. */
  catalogueNumber(): string {
    return `{${this.prefix}:catalogue}:number`;
  }

  /**
   * String: the bytes of all payloads that were ever appended to the catalogue log. Releases up to 0.4 do not count.
   */
  catalogueSum(): string {
    return `{${this.prefix}:catalogue}:sum`;
  }

  /** Channel: the catalogue log has grown. */
  catalogueChannel(): string {
    return `{${this.prefix}:catalogue}:grown`;
  }

  /** Channel: partitions have grown. Redis Cluster only. */
  appendedChannel(): string {
    return `{${this.prefix}}:appended`;
  }

  /** String: what `counted` has consumed in its window. Each is in a slot of its own. */
  rate(counted: string): string {
    return `{${this.prefix}:rate:${counted}}`;
  }

  /** Sorted set: marks by their end. All marks of one group are in one slot; the length separates group and key. */
  marks(group: string, key: string): string {
    return `{${this.prefix}:marks:${group.length}:${group}}:${key}`;
  }

  /** String: a sum. Each is in a slot of its own. */
  sum(key: string): string {
    return `{${this.prefix}:sum:${key}}`;
  }

  /** String: an expiring text. Each is in a slot of its own. */
  text(name: string): string {
    return `{${this.prefix}:text:${name}}`;
  }

  /** Stream: the newest texts of a topic, each in its field `t`. Each is in a slot of its own. */
  broadcasts(topic: string): string {
    return `{${this.prefix}:broadcasts:${topic}}`;
  }

  /** Channel: replies to the process that listens at `address`. */
  replyChannel(address: string): string {
    return `{${this.prefix}}:reply:${address}`;
  }
}
