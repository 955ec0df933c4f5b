import { isInvalidCount } from '#actors/ledger/invalid-counts';
import { ledger } from '#actors/ledger/ledger';
import { hourLedgerIdOf, type LedgerScope, ledgerId } from '#actors/ledger/ledger-id';
import { assembleDays } from '#actors/ledger/read-ledgers';
import { hoursBetween } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import type { LedgerState } from '#actors/ledger/state';
import { unpackLedger } from '#actors/ledger/stored-ledger';
import { fromStored, type StoredDocument, type StoreServer } from '#runtime/simulator/store-server';
import type { ModelSum } from './booked-entries.ts';

const DAY_MS = 86_400_000;

export interface LedgerSumWithInvalid extends ModelSum {
  /** Of invalid traffic, by name and sorted. */
  readonly invalid: Readonly<Record<string, number>>;
}

interface KeptSum {
  readonly ids: readonly string[];
  /** What was added up. */
  readonly documents: readonly (StoredDocument | null)[];
  readonly sum: LedgerSumWithInvalid;
}

/** What ledgers come to, as they are stored now. A sum is made again when one of its documents has another version. */
export class LedgerSums {
  readonly #store: StoreServer;
  readonly #kept = new Map<string, KeptSum>();

  constructor(store: StoreServer) {
    this.#store = store;
  }

  of(scope: LedgerScope, whose: string, dayMs: number): LedgerSumWithInvalid {
    const dayId = ledgerId(scope, whose, dayMs, false);
    const kept = this.#kept.get(dayId);
    const ids = kept?.ids ?? idsOf(dayId);
    const documents = ids.map((id) => this.#store.stored({ kind: ledger.kind, id }));
    if (kept?.documents.every((document, index) => document === documents[index])) return kept.sum;
    const sum = sumOf(documents, dayMs);
    this.#kept.set(dayId, { ids, documents, sum });
    return sum;
  }
}

/** The ledger of a day and those of its hours. */
function idsOf(dayId: string): string[] {
  return [dayId, ...Array.from({ length: 24 }, (_, hour) => hourLedgerIdOf(dayId, hour))];
}

function sumOf(documents: readonly (StoredDocument | null)[], dayMs: number): LedgerSumWithInvalid {
  const ledgers = assembleDays(
    documents.flatMap((stored) =>
      stored === null ? [] : [{ id: stored.id, state: unpackLedger(fromStored(stored).state) as LedgerState }],
    ),
  );
  const { impressions, grossNanos, feeNanos, counts } = sumLedgers(ledgers, hoursBetween(dayMs, dayMs + DAY_MS));
  const invalid = [...counts].filter(([name, count]) => isInvalidCount(name) && count !== 0);
  return {
    ...{ impressions, grossNanos, feeNanos },
    invalid: Object.fromEntries(invalid.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
