import { BSON } from 'mongodb';
import type { AnyActorDefinition } from '#runtime/actor/define-actor';
import type { ActorDocument } from '#runtime/ports/store';
import { decodeDocument, storable } from '#runtime/providers/embedded/document-record';
import { type DocumentAtRest, documentFromRest, documentToRest } from '#runtime/providers/mongodb/document-at-rest';
import { median } from '../../statistics.ts';

/** One document as a store keeps it. */
export interface Encoded {
  readonly bytes: number;
  readonly encodeMicros: number;
  readonly decodeMicros: number;
}

export interface Encodings {
  /** The embedded store. */
  readonly json: Encoded;
  /** MongoDB and FerretDB. */
  readonly bson: Encoded;
}

/** An actor that has been saved before, with nothing in its outbox, as those of lazy kinds are. */
export interface SavedActor {
  readonly definition: AnyActorDefinition;
  readonly id: string;
  readonly position: string;
  readonly state: unknown;
}

function documentOf({ definition, id, position, state: held }: SavedActor): ActorDocument {
  const { kind, schemaVersion: schema, atRest } = definition;
  const state = atRest?.pack(held) ?? held;
  return {
    ...{ kind, id, schema, position, state, partition: 7, version: 12_345, writer: 'node-1.4a8f21c0d3:17:4242' },
    ...{ deleted: false, outbox: [], viewPending: false, received: {}, replies: {}, published: position },
  };
}

export function bsonOf(document: ActorDocument): Uint8Array {
  return BSON.serialize(documentToRest(document), { ignoreUndefined: true });
}

/** With packing, where the kind packs its states. */
export function encodings(actor: SavedActor): Encodings {
  const { kind, atRest } = actor.definition;
  const text = storable(documentOf(actor))!;
  const bytes = bsonOf(documentOf(actor));
  const unpacked = ({ state }: ActorDocument) => atRest?.unpack(state) ?? state;
  return {
    json: {
      bytes: Buffer.byteLength(text),
      encodeMicros: microsOf(() => storable(documentOf(actor))),
      decodeMicros: microsOf(() => unpacked(decodeDocument(kind, text))),
    },
    bson: {
      bytes: bytes.length,
      encodeMicros: microsOf(() => bsonOf(documentOf(actor))),
      decodeMicros: microsOf(() => unpacked(documentFromRest(kind, BSON.deserialize(bytes) as DocumentAtRest))),
    },
  };
}

const ROUNDS = 5;
const ROUND_MICROS = 30_000;

/** CPU time of one call: the median of rounds of about 30 ms. */
function microsOf(work: () => unknown): number {
  const calls = (count: number): number => {
    const since = process.cpuUsage();
    for (let call = 0; call < count; call++) work();
    const { user, system } = process.cpuUsage(since);
    return user + system;
  };
  calls(20);
  const count = Math.max(1, Math.ceil((ROUND_MICROS / Math.max(1, calls(20))) * 20));
  return median(Array.from({ length: ROUNDS }, () => calls(count) / count));
}
