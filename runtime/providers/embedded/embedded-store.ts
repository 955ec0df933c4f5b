import { StoreUnavailable, Withdrawn } from '../../ports/errors.ts';
import { markName } from '../../ports/mark-name.ts';
import { comparePositions, type Position, START } from '../../ports/position.ts';
import type {
  ActorDocument,
  ActorKey,
  Counts,
  DeadLetter,
  DiscardDecision,
  FoundDocument,
  HighWaterMark,
  IdRange,
  KindStorage,
  MarkedPartition,
  Page,
  Query,
  QueryResult,
  SaveOutcome,
  StateReads,
  StateStore,
} from '../../ports/store.ts';
import type { StoreToken } from '../../ports/store-token.ts';
import type { CommitGroup, Participant } from './commit-group.ts';
import { documentKey, endOfKind, startOfKind, storedIdOf } from './document-key.ts';
import {
  type DocumentHead,
  decodeDocument,
  decodeFields,
  headOf,
  idOf,
  storable,
  versionOf,
} from './document-record.ts';
import type { Environment } from './environment.ts';
import type { Facet } from './facet.ts';
import type { Facets } from './facets.ts';
import { admitOlderReleases, refuseOlderReleases } from './older-releases.ts';
import { safeKey } from './safe-key.ts';
import { isWithdrawn, withdrawnValue } from './withdrawn-value.ts';

/** The number of documents that are decoded before other work may run. */
const DECODE_BATCH = 200;

/** The number of documents whose heads are read before other work may run. */
const HEAD_BATCH = 1_000;

/** The head of a document that this group deleted: its next save is the first. */
const ABSENT: DocumentHead = { version: 0, writer: '' };

interface Save extends DocumentHead {
  readonly key: string;
  readonly kind: string;
  readonly record: string;
  readonly facet: Facet | null;
}

/**
 * The state store in the data folder. Saves check and write within one commit group, and groups run one after the
 * other, so two saves of one version can never both succeed.
 */
export class EmbeddedStore implements StateStore, Participant {
  readonly #environment: Environment;
  readonly #group: CommitGroup;
  readonly #facets: Facets;
  readonly #close: () => Promise<void>;
  /** The heads that this group wrote and the database does not show yet. */
  readonly #heads = new Map<string, DocumentHead>();
  readonly #marks = new Map<string, string>();
  readonly #deadLetters = new Map<string, DeadLetter>();

  /** `close` closes what the store shares with the log. */
  constructor(environment: Environment, group: CommitGroup, facets: Facets, close: () => Promise<void>) {
    this.#environment = environment;
    this.#group = group;
    this.#facets = facets;
    this.#close = close;
    group.join(this);
  }

  async prepare(kinds: readonly KindStorage[]): Promise<void> {
    this.#checkOpen();
    for (const { kind, indexes } of kinds) await this.#facets.prepare(kind, indexes);
  }

  /** Always empty: `prepare` builds all indexes before it resolves. */
  unindexed(): readonly string[] {
    return [];
  }

  async load(keys: readonly ActorKey[], fields?: readonly string[]): Promise<(ActorDocument | null)[]> {
    return this.#decodeAll(keys, ({ kind, id }) => {
      const key = documentKey(kind, id);
      return fields === undefined ? this.#document(kind, key) : this.#someFields(kind, key, fields);
    });
  }

  async save(documents: readonly ActorDocument[], mark?: HighWaterMark): Promise<SaveOutcome[]> {
    // Encoded now: a lazy actor's state goes on changing in place.
    const saves = documents.map((document): Save | null => {
      const { kind, id, version, writer } = document;
      const key = documentKey(kind, id);
      const record = storable(document);
      return record === null ? null : { key, kind, version, writer, record, facet: this.#facets.of(document) };
    });
    return this.#group.write(() => {
      if (mark) this.#raiseHighWater(mark);
      return saves.map((save) => (save === null ? 'unstorable' : this.#save(save)));
    }, StoreUnavailable);
  }

  async query(kind: string, query: Query): Promise<QueryResult> {
    this.#checkOpen();
    const { skip = 0, limit = Number.POSITIVE_INFINITY } = query;
    const found = await this.#facets.find(kind, query);
    const page = await this.#decodeAll(found.slice(skip, skip + limit), (key) => this.#document(kind, key));
    // A commit may have come since.
    const documents = page.filter((document) => document !== null && !document.deleted) as ActorDocument[];
    return { documents, total: found.length };
  }

  async page(kind: string, { where, after, limit }: Page): Promise<ActorDocument[]> {
    this.#checkOpen();
    const found: ActorDocument[] = [];
    // A commit may take some of what was found: the page is filled up, for a short one would be the last.
    for (let last = after; found.length < limit; ) {
      const wanted = limit - found.length;
      const keys = await this.#facets.findAfter(kind, { where, after: last, limit: wanted });
      const documents = await this.#decodeAll(keys, (key) => this.#document(kind, key));
      for (const document of documents) if (document && !document.deleted) found.push(document);
      if (keys.length < wanted) break;
      last = found.at(-1)?.id ?? last;
    }
    return found;
  }

  async countBy(kind: string, path: string, where?: Query['where']): Promise<Counts> {
    this.#checkOpen();
    return this.#facets.countBy(kind, path, where);
  }

  async find(kind: string, query: Query & { readonly limit: number }): Promise<FoundDocument[]> {
    this.#checkOpen();
    const keys = await this.#facets.find(kind, query, query.limit);
    return this.#reading(() =>
      keys.flatMap((key) => {
        const record = this.#environment.documents.get(key);
        // A commit may have come since.
        return record === undefined ? [] : [{ id: idOf(record), version: versionOf(record) }];
      }),
    );
  }

  async idsBetween(kind: string, range: IdRange): Promise<string[]> {
    return this.#reading(() => this.#facets.idsBetween(kind, range));
  }

  async tombstones(kind: string, before: Position, limit: number): Promise<FoundDocument[]> {
    const found: FoundDocument[] = [];
    for await (const { id, version, deleted, position } of this.scan(kind)) {
      if (deleted && comparePositions(position, before) < 0) found.push({ id, version });
      if (found.length >= limit) break;
    }
    return found;
  }

  purge(kind: string, found: readonly FoundDocument[]): Promise<number> {
    return this.#group.write(() => found.filter((one) => this.#purge(kind, one)).length, StoreUnavailable);
  }

  async *scan(kind: string): AsyncIterable<ActorDocument> {
    for (let start = startOfKind(kind); ; ) {
      const range = { start, exclusiveStart: true, end: endOfKind(kind), limit: DECODE_BATCH };
      const batch = this.#reading(() => [...this.#environment.documents.getRange(range)]);
      for (const { value } of batch) yield decodeDocument(kind, value);
      if (batch.length < DECODE_BATCH) return;
      start = batch.at(-1)!.key;
      await new Promise(setImmediate);
    }
  }

  async *versions(kind: string): AsyncIterable<readonly FoundDocument[]> {
    for (let start = startOfKind(kind); ; ) {
      const range = { start, exclusiveStart: true, end: endOfKind(kind), limit: HEAD_BATCH };
      const keys = this.#reading(() => [...this.#environment.documents.getKeys(range)]);
      yield this.#reading(() => keys.flatMap((key) => this.#found(kind, key) ?? []));
      if (keys.length < HEAD_BATCH) return;
      start = keys.at(-1)!;
      await new Promise(setImmediate);
    }
  }

  async park(deadLetters: readonly DeadLetter[]): Promise<void> {
    await this.#group.write(() => {
      for (const deadLetter of deadLetters) if (!this.#deadLetterOf(deadLetter.id)) this.#putDeadLetter(deadLetter);
    }, StoreUnavailable);
  }

  async deadLetters({ limit, after = '' }: { limit: number; after?: string }): Promise<DeadLetter[]> {
    return this.#reading(() => {
      const deadLetters: DeadLetter[] = [];
      for (const { key, value } of this.#environment.deadLetters.getRange(after === '' ? {} : { start: after })) {
        if (deadLetters.length >= limit) break;
        if (key !== after) deadLetters.push(JSON.parse(value) as DeadLetter);
      }
      return deadLetters;
    });
  }

  async deadLetter(id: string): Promise<DeadLetter | null> {
    return this.#reading(() => {
      const deadLetter = this.#environment.deadLetters.get(safeKey(id));
      return deadLetter === undefined ? null : (JSON.parse(deadLetter) as DeadLetter);
    });
  }

  markReplayed(id: string, atMs: number): Promise<void> {
    return this.#group.write(() => {
      const deadLetter = this.#deadLetterOf(id);
      if (deadLetter) this.#putDeadLetter({ ...deadLetter, replayedAtMs: atMs });
    }, StoreUnavailable);
  }

  markDiscarded(id: string, discarded: DiscardDecision): Promise<void> {
    return this.#group.write(() => {
      const deadLetter = this.#deadLetterOf(id);
      if (deadLetter && deadLetter.discarded === undefined) this.#putDeadLetter({ ...deadLetter, discarded });
    }, StoreUnavailable);
  }

  async highWater(partition: MarkedPartition): Promise<Position> {
    return this.#reading(() => this.#environment.marks.get(highWaterKey(partition)) ?? START);
  }

  raiseHighWater(mark: HighWaterMark): Promise<void> {
    return this.#group.write(() => this.#raiseHighWater(mark), StoreUnavailable);
  }

  putIfAbsent(name: string, value: string): Promise<string> {
    return this.#group.write(() => {
      const key = namedValueKey(name);
      const kept = this.#mark(key);
      if (kept === undefined) {
        this.#putMark(key, value);
        return value;
      }
      if (isWithdrawn(kept)) throw new Withdrawn(name);
      return kept;
    }, StoreUnavailable);
  }

  async getValue(name: string): Promise<string | null> {
    const kept = this.#reading(() => this.#environment.marks.get(namedValueKey(name)));
    return kept === undefined || isWithdrawn(kept) ? null : kept;
  }

  withdraw(name: string): Promise<void> {
    return this.#group.write(() => {
      this.#putMark(namedValueKey(name), withdrawnValue());
      refuseOlderReleases(this.#environment);
    }, StoreUnavailable);
  }

  /**
   * Undoes a {@link withdraw}: keeps `value` under `name` again, where release 0.4 reads it, and lets that release open
   * the data folder. Durable when resolved.
   */
  reinstate(name: string, value: string): Promise<void> {
    return this.#group.write(() => {
      this.#putMark(namedValueKey(name), value);
      admitOlderReleases(this.#environment);
    }, StoreUnavailable);
  }

  /** Always empty: with one process and one disk every read sees everything acknowledged. */
  token(): StoreToken {
    return '';
  }

  async latestToken(): Promise<StoreToken> {
    return '';
  }

  after(): StateReads {
    return this;
  }

  async healthy(): Promise<boolean> {
    return this.#group.refusal === undefined;
  }

  close(): Promise<void> {
    return this.#close();
  }

  durable(): void {
    this.#heads.clear();
    this.#marks.clear();
    this.#deadLetters.clear();
  }

  lost(): void {
    this.durable();
  }

  #save({ key, kind, version, writer, record, facet }: Save): SaveOutcome {
    const stands = this.#heads.get(key) ?? this.#storedHead(key);
    if (stands?.version === version && stands.writer === writer) return 'saved';
    if ((stands?.version ?? 0) !== version - 1) return 'conflict';
    this.#environment.documents.put(key, record);
    this.#heads.set(key, { version, writer });
    this.#facets.put(key, kind, facet, record);
    return 'saved';
  }

  #purge(kind: string, { id, version }: FoundDocument): boolean {
    const key = documentKey(kind, id);
    const stands = this.#heads.get(key) ?? this.#storedHead(key);
    if (stands?.version !== version) return false;
    this.#environment.documents.remove(key);
    this.#heads.set(key, ABSENT);
    this.#facets.put(key, kind, null, '');
    return true;
  }

  #document(kind: string, key: string): ActorDocument | null {
    const record = this.#environment.documents.get(key);
    return record === undefined ? null : decodeDocument(kind, record);
  }

  #someFields(kind: string, key: string, fields: readonly string[]): ActorDocument | null {
    // The value is a view of a longer buffer of the database, valid only at this moment.
    const record = this.#environment.documents.getBinaryFast(key);
    return record === undefined ? null : decodeFields(kind, record.subarray(0, record.length), fields);
  }

  /**
   * Decodes in batches: a report reads thousands of documents in one call while auctions of the same process continue.
   */
  async #decodeAll<K>(keys: readonly K[], decode: (key: K) => ActorDocument | null) {
    const documents: (ActorDocument | null)[] = [];
    for (let start = 0; start < keys.length || start === 0; start += DECODE_BATCH) {
      if (start > 0) await new Promise(setImmediate);
      const batch = this.#reading(() => keys.slice(start, start + DECODE_BATCH).map(decode));
      for (const document of batch) documents.push(document);
    }
    return documents;
  }

  /** Without decoding the rest of the document. Undefined when it is gone. */
  #found(kind: string, key: string): FoundDocument | undefined {
    const record = this.#environment.documents.getBinaryFast(key);
    if (record === undefined) return undefined;
    const { version } = headOf(record);
    const text = () => record.toString('utf8', 0, record.length);
    return { id: storedIdOf(kind, key) ?? idOf(text()), version };
  }

  #storedHead(key: string): DocumentHead | undefined {
    const record = this.#environment.documents.getBinaryFast(key);
    return record && headOf(record);
  }

  #deadLetterOf(id: string): DeadLetter | undefined {
    const staged = this.#deadLetters.get(id);
    if (staged) return staged;
    const kept = this.#environment.deadLetters.get(safeKey(id));
    return kept === undefined ? undefined : (JSON.parse(kept) as DeadLetter);
  }

  #putDeadLetter(deadLetter: DeadLetter): void {
    this.#deadLetters.set(deadLetter.id, deadLetter);
    this.#environment.deadLetters.put(safeKey(deadLetter.id), JSON.stringify(deadLetter));
  }

  #raiseHighWater(mark: HighWaterMark): void {
    const key = highWaterKey(mark);
    if (comparePositions(mark.position, this.#mark(key) ?? START) > 0) this.#putMark(key, mark.position);
  }

  #mark(key: string): string | undefined {
    return this.#marks.get(key) ?? this.#environment.marks.get(key);
  }

  #putMark(key: string, value: string): void {
    this.#marks.set(key, value);
    this.#environment.marks.put(key, value);
  }

  #reading<T>(read: () => T): T {
    this.#checkOpen();
    try {
      return read();
    } catch (error) {
      throw new StoreUnavailable('the data folder cannot be read', { cause: error });
    }
  }

  #checkOpen(): void {
    const refusal = this.#group.refusal;
    if (refusal) throw new StoreUnavailable(refusal.message, { cause: refusal });
  }
}

function namedValueKey(name: string): string {
  return `settled/${safeKey(name)}`;
}

function highWaterKey(partition: MarkedPartition): string {
  return `high-water/${markName(partition)}`;
}
