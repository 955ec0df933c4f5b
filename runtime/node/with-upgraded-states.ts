import type { AnyActorDefinition } from '../actor/define-actor.ts';
import type { ActorDocument, StateReads, StateStore } from '../ports/store.ts';

/** The document with its state upgraded to the newest schema version of its kind. */
export function upgradeDocument(definition: AnyActorDefinition | undefined, document: ActorDocument): ActorDocument {
  if (!definition?.upgrade || document.deleted || document.schema >= definition.schemaVersion) return document;
  const state = definition.upgrade(document.state, document.schema);
  return { ...document, schema: definition.schemaVersion, state };
}

/**
 * Wraps a store for its readers: states saved under an older schema version are upgraded when read, so that documents
 * that have not changed since an upgrade look like all others. Conditions and orders of a query still apply to what is
 * stored: they cannot use a field that an upgrade adds. Documents saved through the wrapper are saved unchanged.
 */
export function withUpgradedStates(store: StateStore, definitions: readonly AnyActorDefinition[]): StateStore {
  const byKind = new Map(definitions.map((definition) => [definition.kind, definition]));
  return {
    ...currentReads(store, byKind),
    after: (token, use) => currentReads(store.after(token, use), byKind),
    token: () => store.token(),
    latestToken: () => store.latestToken(),
    prepare: (kinds) => store.prepare(kinds),
    unindexed: () => store.unindexed(),
    save: (documents, mark) => store.save(documents, mark),
    purge: (kind, found) => store.purge(kind, found),
    park: (deadLetters) => store.park(deadLetters),
    markReplayed: (id, atMs) => store.markReplayed(id, atMs),
    markDiscarded: (id, discarded) => store.markDiscarded(id, discarded),
    highWater: (partition) => store.highWater(partition),
    raiseHighWater: (mark) => store.raiseHighWater(mark),
    putIfAbsent: (name, value) => store.putIfAbsent(name, value),
    getValue: (name) => store.getValue(name),
    withdraw: (name) => store.withdraw(name),
    healthy: () => store.healthy(),
    close: () => store.close(),
  };
}

function currentReads(store: StateReads, byKind: ReadonlyMap<string, AnyActorDefinition>): StateReads {
  const current = (document: ActorDocument) => upgradeDocument(byKind.get(document.kind), document);
  return {
    async load(keys, fields) {
      const documents = await store.load(keys, fields);
      if (fields === undefined) return documents.map((document) => document && current(document));
      // An upgrade may need fields that the caller did not ask for.
      const isOlder = (document: ActorDocument | null) =>
        document !== null && document.schema < (byKind.get(document.kind)?.schemaVersion ?? 0);
      const older = documents.flatMap((document, index) => (isOlder(document) ? [keys[index]!] : []));
      if (older.length === 0) return documents;
      const whole = (await store.load(older)).values();
      return documents.map((document) => {
        if (!isOlder(document)) return document;
        const found = whole.next().value ?? null;
        return found && current(found);
      });
    },
    async query(kind, query) {
      const { documents, total } = await store.query(kind, query);
      return { documents: documents.map(current), total };
    },
    async page(kind, page) {
      return (await store.page(kind, page)).map(current);
    },
    async *scan(kind) {
      for await (const document of store.scan(kind)) yield current(document);
    },
    versions: (kind) => store.versions(kind),
    countBy: (kind, path, where) => store.countBy(kind, path, where),
    find: (kind, query) => store.find(kind, query),
    idsBetween: (kind, range) => store.idsBetween(kind, range),
    tombstones: (kind, before, limit) => store.tombstones(kind, before, limit),
    deadLetters: (options) => store.deadLetters(options),
    deadLetter: (id) => store.deadLetter(id),
  };
}
