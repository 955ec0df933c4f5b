import type { ActorDocument, DeadLetter, SaveOutcome, StateStore } from '#runtime/ports/store';

let names = 0;
/** A kind that no other test uses. */
function freshKind(): string {
  names += 1;
  return `kind-${names}`;
}

export function document(kind: string, id: string, change: Partial<ActorDocument> = {}): ActorDocument {
  return {
    kind,
    id,
    partition: 3,
    version: 1,
    writer: `writer-${id}-${change.version ?? 1}`,
    position: '1795250000000-0',
    schema: 1,
    deleted: false,
    state: { name: id },
    outbox: [],
    viewPending: false,
    received: {},
    replies: {},
    published: null,
    ...change,
  };
}

export function letter(id: string, change: Partial<DeadLetter> = {}): DeadLetter {
  const [partition, position] = id.split(':') as [string, string];
  return {
    id,
    partition: Number(partition),
    position,
    to: 'publisher/p1',
    type: 'rename',
    payload: '{"name":"ö"}',
    reason: 'TypeError: x is undefined',
    parkedAtMs: 1_795_250_000_000,
    replayedAtMs: null,
    ...change,
  };
}

export async function collect<T>(documents: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of documents) all.push(one);
  return all;
}

export async function saveOne(store: StateStore, one: ActorDocument): Promise<SaveOutcome> {
  const [outcome] = await store.save([one]);
  return outcome!;
}

export async function loadOne(store: StateStore, kind: string, id: string): Promise<ActorDocument | null> {
  return (await store.load([{ kind, id }]))[0] ?? null;
}

export async function freshlyPrepared(store: StateStore, ...indexes: string[]): Promise<string> {
  const kind = freshKind();
  await store.prepare([{ kind, indexes }]);
  return kind;
}
