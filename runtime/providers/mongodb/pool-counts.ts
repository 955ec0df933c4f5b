import type { MongoClient } from 'mongodb';

/** Counts the connections of clients to MongoDB, of all servers together. */
export class PoolCounts {
  open = 0;
  inUse = 0;
  /** Operations that wait for a connection. */
  waiting = 0;
  /** Operations that got none, so far. */
  failures = 0;

  watch(client: MongoClient): void {
    client.on('connectionCreated', () => this.open++);
    client.on('connectionClosed', () => this.open--);
    client.on('connectionCheckOutStarted', () => this.waiting++);
    client.on('connectionCheckedOut', () => {
      this.waiting--;
      this.inUse++;
    });
    client.on('connectionCheckOutFailed', () => {
      this.waiting--;
      this.failures++;
    });
    client.on('connectionCheckedIn', () => this.inUse--);
  }
}
