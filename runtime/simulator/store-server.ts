import type { BrokenLaws } from '../node/laws.ts';
import { markName } from '../ports/mark-name.ts';
import { comparePositions, type Position, START } from '../ports/position.ts';
import type {
  ActorDocument,
  ActorKey,
  DeadLetter,
  DiscardDecision,
  FoundDocument,
  HighWaterMark,
  IdRange,
  MarkedPartition,
  Page,
  Query,
  QueryResult,
  SaveOutcome,
} from '../ports/store.ts';
import { MAX_DOCUMENT_BYTES } from '../ports/store.ts';
import { answerQuery } from './query.ts';
import { StoreMajority } from './store-majority.ts';

/** A document on the server: its text, and the fields that each save checks. */
export interface StoredDocument extends Pick<ActorDocument, 'kind' | 'id' | 'version' | 'writer'> {
  readonly text: string;
}

/** The events of the store for the checkers. */
export interface StoreObserver {
  saved(document: StoredDocument, before: StoredDocument | null): void;
  parked(deadLetter: DeadLetter): void;
}

/** The store server, which has the true stored state. Every method is one atomic step. */
export class StoreServer {
  observer: StoreObserver = { saved() {}, parked() {} };
  /** The actor whose state must not grow: a larger state than the stored one is unstorable. */
  unstorable: ActorKey | null = null;
  readonly #broken: BrokenLaws;
  readonly #kinds = new Map<string, Map<string, StoredDocument>>();
  readonly #readOnce = new WeakMap<StoredDocument, ActorDocument>();
  readonly #deadLetters = new Map<string, DeadLetter>();
  /** By {@link markName}. */
  readonly #highWater = new Map<string, Position>();
  /** Values by name; null for a withdrawn one. */
  readonly #namedValues = new Map<string, string | null>();
  readonly majority = new StoreMajority<StoredDocument>();

  constructor(broken: BrokenLaws) {
    this.#broken = broken;
  }

  /** Reads a document. `point` is a point of the majority, see {@link StoreMajority}; null reads the present state. */
  load({ kind, id }: ActorKey, point: number | null = null): ActorDocument | null {
    const kept = this.#storedAt(kind, id, point);
    return kept === null ? null : fromStored(kept);
  }

  /** A document as it is stored now: another object for each version. */
  stored({ kind, id }: ActorKey): StoredDocument | null {
    return this.#kinds.get(kind)?.get(id) ?? null;
  }

  #storedAt(kind: string, id: string, point: number | null): StoredDocument | null {
    return this.majority.asOf(point, `${kind}/${id}`, this.#kinds.get(kind)?.get(id) ?? null);
  }

  save(document: StoredDocument): SaveOutcome {
    let kind = this.#kinds.get(document.kind);
    if (!kind) {
      kind = new Map();
      this.#kinds.set(document.kind, kind);
    }
    const before = kind.get(document.id) ?? null;
    if (before?.version === document.version && before.writer === document.writer) return 'saved';
    if (this.#isUnstorable(document, before)) return 'unstorable';
    const expected = (before?.version ?? 0) + 1;
    if (document.version !== expected && !this.#broken.has('compare-and-set')) return 'conflict';
    kind.set(document.id, document);
    this.majority.wrote(`${document.kind}/${document.id}`, before);
    this.observer.saved(document, before);
    return 'saved';
  }

  #isUnstorable(document: StoredDocument, before: StoredDocument | null): boolean {
    if (this.unstorable?.kind !== document.kind || this.unstorable.id !== document.id) return false;
    return sizeOfState(document) > (before === null ? 0 : sizeOfState(before));
  }

  /** The keys of all documents, in order. */
  get keys(): ActorKey[] {
    return [...this.#kinds.keys()].sort().flatMap((kind) => this.ids(kind).map((id) => ({ kind, id })));
  }

  purge(kind: string, { id, version }: FoundDocument): boolean {
    const documents = this.#kinds.get(kind);
    const stands = documents?.get(id);
    if (stands?.version !== version) return false;
    this.majority.wrote(`${kind}/${id}`, stands);
    return documents?.delete(id) === true;
  }

  ids(kind: string): string[] {
    return [...(this.#kinds.get(kind)?.keys() ?? [])].sort();
  }

  /** Answers a query. Each version of a document is decoded once; the result contains copies. */
  query(kind: string, query: Query, point: number | null = null): QueryResult {
    const kept = this.ids(kind).flatMap((id) => this.#storedAt(kind, id, point) ?? []);
    const { documents: found, total } = answerQuery(
      kept.map((one) => this.#read(one)),
      query,
    );
    return { documents: found.map(({ id }) => this.load({ kind, id }, point)!), total };
  }

  page(kind: string, { where = {}, after, limit }: Page, point: number | null = null): ActorDocument[] {
    return this.query(kind, { where }, point)
      .documents.filter(({ id }) => id > after)
      .slice(0, limit);
  }

  idsBetween(kind: string, { after, below, limit }: IdRange): string[] {
    const documents = this.#kinds.get(kind) ?? new Map<string, StoredDocument>();
    const lies = (id: string) =>
      compareCodePoints(id, after) > 0 && (below === undefined || compareCodePoints(id, below) < 0);
    const between = [...documents.keys()].filter(lies).sort(compareCodePoints);
    return between.filter((id) => !this.#read(documents.get(id)!).deleted).slice(0, limit);
  }

  #read(kept: StoredDocument): ActorDocument {
    const read = this.#readOnce.get(kept) ?? fromStored(kept);
    this.#readOnce.set(kept, read);
    return read;
  }

  all(kind: string): ActorDocument[] {
    return this.ids(kind).map((id) => this.load({ kind, id }) as ActorDocument);
  }

  park(deadLetters: readonly DeadLetter[]): void {
    for (const deadLetter of deadLetters) {
      if (this.#deadLetters.has(deadLetter.id)) continue;
      this.#deadLetters.set(deadLetter.id, deadLetter);
      this.observer.parked(deadLetter);
    }
  }

  deadLetters(limit: number, after: string): DeadLetter[] {
    const ids = [...this.#deadLetters.keys()].filter((id) => id > after).sort();
    return ids.slice(0, limit).map((id) => this.#deadLetters.get(id) as DeadLetter);
  }

  deadLetter(id: string): DeadLetter | null {
    return this.#deadLetters.get(id) ?? null;
  }

  markReplayed(id: string, atMs: number): void {
    const deadLetter = this.#deadLetters.get(id);
    if (deadLetter) this.#deadLetters.set(id, { ...deadLetter, replayedAtMs: atMs });
  }

  markDiscarded(id: string, discarded: DiscardDecision): void {
    const deadLetter = this.#deadLetters.get(id);
    if (deadLetter && deadLetter.discarded === undefined) this.#deadLetters.set(id, { ...deadLetter, discarded });
  }

  highWater(partition: MarkedPartition): Position {
    return this.#highWater.get(markName(partition)) ?? START;
  }

  raiseHighWater(mark: HighWaterMark): void {
    if (comparePositions(mark.position, this.highWater(mark)) > 0) this.#highWater.set(markName(mark), mark.position);
  }

  /** Returns null when the value of the name was withdrawn. */
  putIfAbsent(name: string, value: string): string | null {
    const kept = this.#namedValues.get(name);
    if (kept === undefined) this.#namedValues.set(name, value);
    return kept === undefined ? value : kept;
  }

  getValue(name: string): string | null {
    return this.#namedValues.get(name) ?? null;
  }

  withdraw(name: string): void {
    this.#namedValues.set(name, null);
  }
}

function sizeOfState(document: StoredDocument): number {
  return JSON.stringify(fromStored(document).state).length;
}

/** The stored form of a document, which later changes by its writer do not affect. Null when it can never be stored. */
export function toStored(document: ActorDocument): StoredDocument | null {
  const { kind, id, version, writer } = document;
  try {
    const text = JSON.stringify(document);
    return text.length > MAX_DOCUMENT_BYTES ? null : { kind, id, version, writer, text };
  } catch {
    return null;
  }
}

export function fromStored({ text }: StoredDocument): ActorDocument {
  return JSON.parse(text);
}

/**
 * Compares text in the order of databases, which sort text as UTF-8. The order of `<` differs for characters of four
 * bytes.
 */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Ranks a UTF-16 unit: surrogates, the halves of a character beyond U+FFFF, come after all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
