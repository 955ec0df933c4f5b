import { readFileSync } from 'node:fs';

/** The number of keys that each operation under commands/ declares; null: the caller passes it. */
const KEYS_OF = {
  'append-messages': 1,
  'append-caused': 1,
  'append-once': null,
  'append-relayed': null,
  'mark-once': 2,
  'partition-tail': 1,
  'acquire-lease': 2,
  'renew-lease': 1,
  'release-lease': 1,
  'commit-cursor': 2,
  'keep-note': 1,
  'replace-records': 1,
  'raise-positions': 2,
  'raise-free-partition': 2,
  'copy-ids': 1,
  'copy-notes': 1,
  heartbeat: 3,
  'publish-views': 3,
  'read-views': 2,
  'put-mark': 1,
  'count-marks': null,
  'add-to-sum': 1,
} as const;

/** An entry as Redis returns it: the id, and field names and values in turn. */
export type RawEntry = [id: string, fields: string[]];

/**
 * The operations under commands/ as methods of a client: keys first, then arguments, as the head of each file documents
 * them.
 */
export interface ScriptCommands {
  appendMessages(stream: string, maxLength: number | '', ...payloads: string[]): Promise<string[] | null>;
  appendCaused(stream: string, ...payloads: string[]): Promise<string[]>;
  appendOnce(keys: number, ...keysAndMessages: string[]): Promise<number[]>;
  appendRelayed(keys: number, ...keysAndMessages: (string | number)[]): Promise<string>;
  markOnce(seen: string, seenToo: string, ...marks: (string | number)[]): Promise<number[]>;
  partitionTail(stream: string): Promise<[last: string, length: number, added: number, nowMs: number]>;
  acquireLease(
    lease: string,
    stream: string,
    owner: string,
    ttlMs: number,
  ): Promise<[epoch: string, cursor: string, last: string, note: string] | null>;
  renewLease(lease: string, owner: string, epoch: number, ttlMs: number): Promise<number>;
  releaseLease(lease: string, epoch: number): Promise<number>;
  commitCursor(
    lease: string,
    stream: string,
    epoch: number,
    cursorTimeMs: number,
    cursorSequence: number,
    keepFrom: string,
    token: string,
  ): Promise<number>;
  keepNote(lease: string, epoch: number, note: string): Promise<number>;
  replaceRecords(records: string, ...idsVersionsAndRecords: string[]): Promise<number[]>;
  raisePositions(lease: string, stream: string, epoch: number, position: string): Promise<number>;
  raiseFreePartition(lease: string, stream: string, position: string): Promise<number>;
  copyIds(ids: string, forgetAtMs: number | '', ...copied: string[]): Promise<number>;
  copyNotes(notes: string, forgetAtMs: number | '', ...idsAndNotes: string[]): Promise<number>;
  heartbeat(
    members: string,
    unfitMembers: string,
    conditions: string,
    member: string,
    ttlMs: number,
    unfit: 0 | 1,
    condition: string,
  ): Promise<[name: string, leftMs: number, condition: string][]>;
  publishViews(
    stream: string,
    number: string,
    sum: string,
    channel: string,
    entries: number,
    bytes: number,
    least: number,
    ...payloads: string[]
  ): Promise<string>;
  putMark(marks: string, mark: string, untilMs: number, nowMs: number, limit: number | ''): Promise<number>;
  countMarks(keys: number, ...keysAndNowMs: (string | number)[]): Promise<number[]>;
  addToSum(sum: string, amount: number, expiresAtMs: number): Promise<unknown>;
  readViews(stream: string, number: string, after: number, from: number, limit: number): Promise<RawEntry[]>;
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * The operations whose first argument is the number of their keys. ioredis takes it for a key where it groups the
 * commands of a turn by their slots.
 */
export const COUNTED_KEYS: readonly string[] = Object.entries(KEYS_OF)
  .filter(([, numberOfKeys]) => numberOfKeys === null)
  .map(([name]) => camelCase(name));

/** The scripts for ioredis, which sends each text once per connection and afterwards its digest. */
export const SCRIPTS: Readonly<Record<string, { lua: string; numberOfKeys?: number }>> = Object.fromEntries(
  Object.entries(KEYS_OF).map(([name, numberOfKeys]) => [
    camelCase(name),
    {
      lua: readFileSync(new URL(`./commands/${name}.lua`, import.meta.url), 'utf8'),
      ...(numberOfKeys !== null && { numberOfKeys }),
    },
  ]),
);
