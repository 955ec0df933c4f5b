import { campaign } from '../../actors/campaign/campaign.ts';
import type { CampaignState } from '../../actors/campaign/reduce.ts';
import { facts } from '../../actors/facts/facts.ts';
import { impressionRollup } from '../../actors/impression-rollup/impression-rollup.ts';
import { ledger } from '../../actors/ledger/ledger.ts';
import { parseLedgerId } from '../../actors/ledger/ledger-id.ts';
import { unpackLedger } from '../../actors/ledger/stored-ledger.ts';
import { type StatementState, statement } from '../../actors/statement/statement.ts';
import { statementId } from '../../actors/statement/statement-id.ts';
import type { ActorDocument, ActorKey, StateStore } from '../../runtime/ports/store.ts';
import { versionsOf } from '../jobs/purge-aged.ts';
import { writeArchive } from './archive-file.ts';

export interface ArchiveDeps {
  readonly store: Pick<StateStore, 'load' | 'find' | 'purge'>;
  readonly folder: string;
  /** The number of partitions of the log: a day has an impression rollup of each. */
  readonly partitions: number;
}

/** The result for one day of live books: archived as `file` and deleted, nothing to archive, or kept for a reason. */
export type ArchivedDay =
  | { readonly file: string; readonly documents: number }
  | { readonly file: null; readonly waitsFor: string | null };

const AT_A_TIME = 100;
/** The most ledgers of one day: far above the number of sources of any exchange. */
const MAX_LEDGERS_PER_DAY = 1_000_000;

/**
 * Archives the live ledgers, counts and impression rollups of a UTC day, pages unpacked, and deletes those documents
 * whose version is in the file: documents that have changed meanwhile stay. A run that is cut short after the file was
 * written writes another file with the same documents the next time.
 *
 * A day stays while a statement of its month is open. A campaign's ledgers stay while it may bid: the rest of its total
 * budget is computed from them.
 */
export async function archiveDay(deps: ArchiveDeps, day: string, signal: AbortSignal): Promise<ArchivedDay> {
  const { store, folder, partitions } = deps;
  const where = { filedUnder: `live/${day}` };
  const found = await store.find(ledger.kind, { where, limit: MAX_LEDGERS_PER_DAY });
  const held = await openStatements(store, found, day);
  if (held > 0) return { file: null, waitsFor: `${held} statements of ${day.slice(0, 7)}` };
  const kept = await ledgersOfRunningCampaigns(store, found);
  const ledgers = found.filter(({ id }) => !kept.has(id)).map(({ id }) => ({ kind: ledger.kind, id }));
  const counts = (await store.find(facts.kind, { where, limit: MAX_LEDGERS_PER_DAY })).map(({ id }) => ({
    kind: facts.kind,
    id,
  }));
  const rollups = await rollupsOf(store, day, partitions);
  if (ledgers.length + counts.length + rollups.length === 0) return { file: null, waitsFor: null };
  const archived: Pick<ActorDocument, 'kind' | 'id' | 'version'>[] = [];
  const file = await writeArchive(folder, day, documents(), signal);
  // Ledgers go last: an audit between, or after a failure, finds no rollups without their ledgers.
  for (const kind of [facts.kind, impressionRollup.kind, ledger.kind]) {
    const gone = archived.filter((document) => document.kind === kind);
    for (let start = 0; start < gone.length; start += AT_A_TIME) {
      await store.purge(kind, gone.slice(start, start + AT_A_TIME));
    }
  }
  return { file, documents: archived.length };

  async function* documents() {
    for await (const document of loadAll(store, [...ledgers, ...counts, ...rollups])) {
      archived.push({ kind: document.kind, id: document.id, version: document.version });
      yield document.kind === impressionRollup.kind ? document : { ...document, state: unpackLedger(document.state) };
    }
  }
}

async function* loadAll(store: Pick<StateStore, 'load'>, keys: readonly ActorKey[]): AsyncIterable<ActorDocument> {
  for (let start = 0; start < keys.length; start += AT_A_TIME) {
    for (const document of await store.load(keys.slice(start, start + AT_A_TIME))) {
      if (document !== null && !document.deleted) yield document;
    }
  }
}

/** The rollups of the day that there are: of each partition at most one. */
async function rollupsOf(store: Pick<StateStore, 'load'>, day: string, partitions: number): Promise<ActorKey[]> {
  const { kind } = impressionRollup;
  const ids = Array.from({ length: partitions }, (_, partition) => `${partition}:${day}`);
  return (await versionsOf(store, kind, ids)).map(({ id }) => ({ kind, id }));
}

/** The number of sources with these ledgers that have no frozen statement of the day's month. */
async function openStatements(
  store: Pick<StateStore, 'load'>,
  ledgers: readonly { readonly id: string }[],
  day: string,
): Promise<number> {
  const keys = ledgers.flatMap(({ id }) => {
    const { scope, whose } = parseLedgerId(id);
    if (scope !== 'publisher' && scope !== 'dsp') return [];
    return [{ kind: statement.kind, id: statementId(scope, whose, day.slice(0, 7)) }];
  });
  let frozen = 0;
  for await (const { state } of loadAll(store, keys)) if ((state as StatementState).frozen !== null) frozen += 1;
  return keys.length - frozen;
}

async function ledgersOfRunningCampaigns(
  store: Pick<StateStore, 'load'>,
  ledgers: readonly { readonly id: string }[],
): Promise<ReadonlySet<string>> {
  const byCampaign = new Map<string, string>();
  for (const { id } of ledgers) {
    const { scope, whose } = parseLedgerId(id);
    if (scope === 'campaign') byCampaign.set(whose, id);
  }
  const kept = new Set<string>();
  const keys = [...byCampaign.keys()].map((id) => ({ kind: campaign.kind, id }));
  for await (const { id, state } of loadAll(store, keys)) {
    if ((state as CampaignState).status !== 'retired') kept.add(byCampaign.get(id)!);
  }
  return kept;
}
