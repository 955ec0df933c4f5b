import { hourOfLedger } from '#actors/ledger/ledger-id';
import { unpackLedger } from '#actors/ledger/stored-ledger';
import { positionTimeMs } from '#runtime/ports/position';
import type { ActorDocument, StateStore } from '#runtime/ports/store';
import { storable } from '#runtime/providers/embedded/document-record';
import { bsonOf } from '../units/encodings.ts';

/** Of so many documents the size is taken of one, so that measuring costs little of what is measured. */
const SAMPLED = 16;

/** What is saved of one kind. */
export interface SavedKind {
  documents: number;
  /** Bytes of the sampled documents, and their number. */
  jsonBytes: number;
  bsonBytes: number;
  sampled: number;
}

/** That the saved ledger of a publisher has what a partition has taken up to `throughMs`, log time. */
export interface SavedThrough {
  readonly publisher: string;
  readonly partition: number;
  readonly throughMs: number;
  readonly savedAtMs: number;
}

/** Ledgers are counted by their scope, `ledger/publisher`. */
function kindOf({ kind, id }: ActorDocument): string {
  return kind === 'ledger' ? `${kind}/${id.slice(0, id.indexOf(':'))}` : kind;
}

/** Counts what is saved, at the provider's edge. */
export class StoreCounts {
  calls = 0;
  readonly kinds = new Map<string, SavedKind>();
  readonly saved: SavedThrough[] = [];
  readonly #versions = new Map<string, string>();

  reset(): void {
    this.calls = 0;
    this.kinds.clear();
  }

  count(documents: readonly ActorDocument[]): void {
    this.calls += 1;
    for (const document of documents) {
      const kind = kindOf(document);
      let of = this.kinds.get(kind);
      if (!of) {
        of = { documents: 0, jsonBytes: 0, bsonBytes: 0, sampled: 0 };
        this.kinds.set(kind, of);
      }
      if (of.documents % SAMPLED === 0) {
        of.sampled += 1;
        of.jsonBytes += Buffer.byteLength(storable(document)!);
        of.bsonBytes += bsonOf(document).length;
      }
      of.documents += 1;
    }
  }

  /** Notes which partitions' newest totals the saved ledgers of publishers' hours have. */
  noteSaved(documents: readonly ActorDocument[], versions: readonly (readonly [string, string])[][]): void {
    const savedAtMs = Date.now();
    for (const [index, { id }] of documents.entries()) {
      const publisher = id.split(':')[1]!;
      for (const [partition, version] of versions[index]!) {
        const key = `${id} ${partition}`;
        if (this.#versions.get(key) === version) continue;
        this.#versions.set(key, version);
        const throughMs = positionTimeMs(version);
        this.saved.push({ publisher, partition: Number(partition), throughMs, savedAtMs });
      }
    }
  }
}

/** The store, with what is saved counted. */
export function countedStore(store: StateStore, counts: StoreCounts): StateStore {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'save') {
        return async (...given: Parameters<StateStore['save']>) => {
          const [documents] = given;
          counts.count(documents);
          const ledgers = documents.filter(
            ({ kind, id, deleted }) =>
              kind === 'ledger' && id.startsWith('publisher:') && hourOfLedger(id) !== null && !deleted,
          );
          // A state goes on changing while it is saved.
          const versions = ledgers.map(({ state }) =>
            Object.entries(unpackLedger(state).open ?? {}).map(
              ([partition, { version }]) => [partition, version] as const,
            ),
          );
          const outcomes = await target.save(...given);
          counts.noteSaved(ledgers, versions);
          return outcomes;
        };
      }
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
