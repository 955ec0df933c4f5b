import type { ActorDocument } from '../../ports/store.ts';
import type { StoreServer } from '../store-server.ts';
import { WORKLOAD } from '../workload/definitions.ts';
import { historyOf } from './history-observer.ts';

/** The state of the store at the end, in a form that is simple for checkers. */
export interface FinalState {
  readonly documents: readonly ActorDocument[];
  /** Every effect that stands, in order for each actor; what an archive keeps comes before what its session has. */
  readonly histories: ReadonlyMap<string, readonly string[]>;
  /** How often each tag is in any history. */
  readonly applied: ReadonlyMap<string, number>;
}

export function finalState(store: StoreServer): FinalState {
  const documents = WORKLOAD.flatMap(({ kind }) => store.all(kind));
  const histories = new Map<string, readonly string[]>();
  const applied = new Map<string, number>();
  for (const document of documents) {
    const history = historyOf(document);
    histories.set(`${document.kind}/${document.id}`, history);
    for (const tag of history) applied.set(tag, (applied.get(tag) ?? 0) + 1);
  }
  for (const document of documents) {
    if (document.kind !== 'archive') continue;
    const { tags } = document.state as { tags: readonly string[] };
    for (const tag of tags) applied.set(tag, (applied.get(tag) ?? 0) + 1);
    const address = `session/${document.id}`;
    histories.set(address, [...tags, ...(histories.get(address) ?? [])]);
  }
  return { documents, histories, applied };
}
