import { StoreUnavailable, Withdrawn } from '../ports/errors.ts';
import { comparePositions, type Position } from '../ports/position.ts';
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
} from '../ports/store.ts';
import { newerToken, type StoreToken } from '../ports/store-token.ts';
import { Connection } from './connection.ts';
import { countValues } from './query.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { type StoreServer, toStored } from './store-server.ts';
import type { World } from './world.ts';

/** The time between two writes of one bulk, ms. */
const BULK_STEP_MS = 0.05;
/** A document that a bulk left behind may still be written this much later, ms. */
const LATE_UP_TO_MS = 15_000;
/** The number of parts of a scan. */
const SCAN_PARTS = 6;
/** The mean time of one part, ms. */
const PART_MS = 20;

/** The store of one process: the server, seen through a connection that can fail in every way. */
export class SimulatedStore implements StateStore {
  readonly connection: Connection;
  readonly #server: StoreServer;
  readonly #world: World;
  readonly #deadlineMs: number;
  #token: StoreToken = '';

  constructor(server: StoreServer, process: SimulatedProcess, world: World, deadlineMs: number) {
    this.#server = server;
    this.#world = world;
    this.#deadlineMs = deadlineMs;
    this.connection = new Connection(process, world, deadlineMs, (call) => new StoreUnavailable(`${call}: no answer`));
  }

  prepare(_kinds: readonly KindStorage[]): Promise<void> {
    return this.#call('prepare', () => undefined);
  }

  unindexed(): readonly string[] {
    return [];
  }

  load(keys: readonly ActorKey[]): Promise<(ActorDocument | null)[]> {
    return this.#reads('').load(keys);
  }

  token(): StoreToken {
    return this.#token;
  }

  async latestToken(): Promise<StoreToken> {
    return this.#noted(this.#call('present', () => this.#server.majority.token));
  }

  after(token: StoreToken): StateReads {
    return { ...this.#exactReads(), ...this.#reads(token) };
  }

  async #noted(token: Promise<StoreToken>): Promise<StoreToken> {
    this.#token = newerToken(this.#token, await token);
    return this.#token;
  }

  /** Of one command: what it finds as of the majority's point, which is noted. */
  async #read<T>(name: string, token: StoreToken, serve: (point: number | null) => T): Promise<T> {
    const { majority } = this.#server;
    const after = newerToken(this.#token, token);
    const answer = await this.#call(name, () => {
      const point = majority.pointAfter(after);
      return { found: serve(point), token: majority.tokenAt(point) };
    });
    this.#token = newerToken(this.#token, answer.token);
    return answer.found;
  }

  #reads(token: StoreToken) {
    const server = this.#server;
    return {
      load: (keys: readonly ActorKey[]) =>
        this.#read('load', token, (point) => keys.map((key) => server.load(key, point))),
      query: (kind: string, query: Query) => this.#read('query', token, (point) => server.query(kind, query, point)),
      page: (kind: string, page: Page) => this.#read('page', token, (point) => server.page(kind, page, point)),
      scan: (kind: string) => this.#scan(kind, token),
      versions: (kind: string) => this.#versions(kind, token),
    };
  }

  /** These reads do not lag behind, because their uses do not read after a token. */
  #exactReads() {
    return {
      countBy: this.countBy.bind(this),
      find: this.find.bind(this),
      idsBetween: this.idsBetween.bind(this),
      tombstones: this.tombstones.bind(this),
      deadLetters: this.deadLetters.bind(this),
      deadLetter: this.deadLetter.bind(this),
    };
  }

  /** Each document is written at its own instant, once the mark is stored. */
  async save(documents: readonly ActorDocument[], mark?: HighWaterMark): Promise<SaveOutcome[]> {
    const { time, random, faults } = this.#world;
    const kept = documents.map(toStored);
    if (mark) await this.raiseHighWater(mark);
    const partial = faults.strikes('partialSave', 'save: bulk written in part');
    const saved = await this.connection.request<{ outcomes: SaveOutcome[]; token: StoreToken }>('save', (reply) => {
      const answer = (all: SaveOutcome[]) => reply({ outcomes: all, token: this.#server.majority.token });
      const outcomes: SaveOutcome[] = [];
      let written = 0;
      const write = (index: number) => {
        const document = kept[index];
        outcomes[index] = document ? this.#server.save(document) : 'unstorable';
        written += 1;
        if (written === kept.length) answer(outcomes);
      };
      for (const index of kept.keys()) {
        let afterMs = random.exponential(BULK_STEP_MS) * (index + 1);
        if (partial && random.chance(0.5)) {
          if (random.chance(0.5)) continue;
          afterMs = this.#deadlineMs * 1.1 + random.next() ** 3 * LATE_UP_TO_MS;
        }
        time.after(afterMs, 'write', () => write(index));
      }
      if (kept.length === 0) answer(outcomes);
    });
    this.#token = newerToken(this.#token, saved.token);
    return saved.outcomes;
  }

  query(kind: string, query: Query): Promise<QueryResult> {
    return this.#reads('').query(kind, query);
  }

  page(kind: string, page: Page): Promise<ActorDocument[]> {
    return this.#reads('').page(kind, page);
  }

  countBy(kind: string, path: string, where?: Query['where']): Promise<Counts> {
    return this.#call('countBy', () => countValues(this.#server.all(kind), path, where));
  }

  find(kind: string, query: Query & { readonly limit: number }): Promise<FoundDocument[]> {
    return this.#call('find', () => this.#server.query(kind, query).documents.map(foundOf));
  }

  idsBetween(kind: string, range: IdRange): Promise<string[]> {
    return this.#call('idsBetween', () => this.#server.idsBetween(kind, range));
  }

  tombstones(kind: string, before: Position, limit: number): Promise<FoundDocument[]> {
    const old = ({ deleted, position }: ActorDocument) => deleted && comparePositions(position, before) < 0;
    return this.#call('tombstones', () => this.#server.all(kind).filter(old).slice(0, limit).map(foundOf));
  }

  purge(kind: string, found: readonly FoundDocument[]): Promise<number> {
    return this.#call('purge', () => found.filter((one) => this.#server.purge(kind, one)).length);
  }

  scan(kind: string): AsyncIterable<ActorDocument> {
    return this.#scan(kind, '');
  }

  versions(kind: string): AsyncIterable<readonly FoundDocument[]> {
    return this.#versions(kind, '');
  }

  async *#scan(kind: string, token: StoreToken): AsyncIterable<ActorDocument> {
    for await (const part of this.#parts('scan', kind, token)) yield* part;
  }

  async *#versions(kind: string, token: StoreToken): AsyncIterable<readonly FoundDocument[]> {
    for await (const part of this.#parts('versions', kind, token)) yield part.map(foundOf);
  }

  /** What the documents of a kind are when their part is read, each part at its own time. */
  async *#parts(name: string, kind: string, token: StoreToken): AsyncIterable<ActorDocument[]> {
    const ids = await this.#call(name, () => this.#server.ids(kind));
    const step = Math.ceil(ids.length / SCAN_PARTS);
    for (let start = 0; start < ids.length; start += step) {
      const keys = ids.slice(start, start + step).map((id) => ({ kind, id }));
      const after = newerToken(this.#token, token);
      const documents = await this.connection.request<(ActorDocument | null)[]>(name, (answer) => {
        const point = this.#server.majority.pointAfter(after);
        const found = keys.map((key) => this.#server.load(key, point));
        this.#world.time.after(this.#world.random.exponential(PART_MS), `${name} goes on`, () => answer(found));
      });
      yield documents.filter((document) => document !== null);
    }
  }

  park(deadLetters: readonly DeadLetter[]): Promise<void> {
    return this.#call('park', () => this.#server.park(deadLetters));
  }

  deadLetters({ limit, after = '' }: { readonly limit: number; readonly after?: string }): Promise<DeadLetter[]> {
    return this.#call('deadLetters', () => this.#server.deadLetters(limit, after));
  }

  deadLetter(id: string): Promise<DeadLetter | null> {
    return this.#call('deadLetter', () => this.#server.deadLetter(id));
  }

  markReplayed(id: string, atMs: number): Promise<void> {
    return this.#call('markReplayed', () => this.#server.markReplayed(id, atMs));
  }

  markDiscarded(id: string, discarded: DiscardDecision): Promise<void> {
    return this.#call('markDiscarded', () => this.#server.markDiscarded(id, discarded));
  }

  highWater(partition: MarkedPartition): Promise<Position> {
    return this.#call('highWater', () => this.#server.highWater(partition));
  }

  raiseHighWater(mark: HighWaterMark): Promise<void> {
    return this.#call('raiseHighWater', () => this.#server.raiseHighWater(mark));
  }

  putIfAbsent(name: string, value: string): Promise<string> {
    return this.connection.request<string>('settle', (answer, fail) => {
      const kept = this.#server.putIfAbsent(name, value);
      if (kept === null) fail(new Withdrawn(name));
      else answer(kept);
    });
  }

  getValue(name: string): Promise<string | null> {
    return this.#call('settled', () => this.#server.getValue(name));
  }

  withdraw(name: string): Promise<void> {
    return this.#call('withdraw', () => this.#server.withdraw(name));
  }

  healthy(): Promise<boolean> {
    return this.#call('store.healthy', () => true).catch(() => false);
  }

  async close(): Promise<void> {
    this.connection.close();
  }

  #call<T>(name: string, serve: () => T): Promise<T> {
    return this.connection.request<T>(name, (answer) => answer(serve()));
  }
}

function foundOf({ id, version }: ActorDocument): FoundDocument {
  return { id, version };
}
