import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { BSON, type Document, Long, Timestamp } from 'mongodb';

/** A command of a session, as it came. */
interface SeenCommand {
  readonly name: string;
  /** The time that a read has to wait for. */
  readonly after: Timestamp | undefined;
}

/**
 * A server on a loopback port that says it is the primary of a replica set: it keeps nothing, does as asked, and sends
 * with every answer to a command of a session a time later than the last. A database that can be run here has no times.
 */
export interface CausalServer {
  readonly url: string;
  /** The commands of sessions since the last call. */
  take(): readonly SeenCommand[];
  /** The time of the newest answer. */
  readonly lastTime: Timestamp;
  close(): Promise<void>;
}

const HEADER_BYTES = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

const HELLO = {
  helloOk: true,
  isWritablePrimary: true,
  ismaster: true,
  setName: 'rs0',
  maxWireVersion: 21,
  minWireVersion: 0,
  maxBsonObjectSize: 16 * 1_048_576,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
  ok: 1,
};

export async function openCausalServer(): Promise<CausalServer> {
  const sockets = new Set<Socket>();
  let seen: SeenCommand[] = [];
  let number = 0;
  const time = () => new Timestamp({ t: 1_795_250_000, i: number });

  function answerTo(command: Document, statements: number): Document {
    const [name] = Object.keys(command) as [string];
    if (/^(hello|ismaster)$/i.test(name)) return HELLO;
    if (command.lsid === undefined || name === 'endSessions') return { version: '7.0.14', ok: 1 };
    seen.push({ name, after: command.readConcern?.afterClusterTime });
    number += 1;
    const signature = { hash: Buffer.alloc(20), keyId: Long.ZERO };
    const times = { operationTime: time(), $clusterTime: { clusterTime: time(), signature } };
    const cursor = { id: Long.ZERO, ns: `${command.$db}.any`, firstBatch: [] };
    return { cursor, n: statements, nModified: statements, ok: 1, ...times };
  }

  function answer(message: Buffer): Buffer {
    const legacy = message.readInt32LE(12) === OP_QUERY;
    const { command, statements } = legacy ? readQuery(message) : readMessage(message);
    const document = BSON.serialize(answerTo(command, statements));
    const before = Buffer.alloc(legacy ? 20 : 5);
    // One document, from the first on.
    if (legacy) before.writeInt32LE(1, 16);
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeInt32LE(HEADER_BYTES + before.length + document.length, 0);
    header.writeInt32LE(message.readInt32LE(4), 8);
    header.writeInt32LE(legacy ? OP_REPLY : OP_MSG, 12);
    return Buffer.concat([header, before, document]);
  }

  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= HEADER_BYTES && rest.length >= rest.readInt32LE(0)) {
        const length = rest.readInt32LE(0);
        socket.write(answer(rest.subarray(0, length)));
        rest = rest.subarray(length);
      }
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  return {
    url: `mongodb://127.0.0.1:${(listener.address() as AddressInfo).port}/causal?directConnection=true`,
    take() {
      const taken = seen;
      seen = [];
      return taken;
    },
    get lastTime() {
      return time();
    },
    async close() {
      listener.close();
      for (const socket of sockets) socket.destroy();
      await once(listener, 'close');
    },
  };
}

interface ReadCommand {
  readonly command: Document;
  /** How many documents a write command carries. */
  readonly statements: number;
}

/** Behind flags, the collection's name and two numbers. */
function readQuery(message: Buffer): ReadCommand {
  const command = BSON.deserialize(message.subarray(message.indexOf(0, HEADER_BYTES + 4) + 1 + 8));
  return { command, statements: 0 };
}

/** Sections follow the flags: the command, or a size, a name and a sequence of documents. */
function readMessage(message: Buffer): ReadCommand {
  let command: Document = {};
  let statements = 0;
  for (let at = HEADER_BYTES + 4; at < message.length; ) {
    const kind = message[at]!;
    const start = at + 1;
    const size = message.readInt32LE(start);
    if (kind === 0) {
      command = BSON.deserialize(message.subarray(start, start + size), { promoteLongs: false });
      statements += ((command.documents ?? command.updates ?? command.deletes ?? []) as unknown[]).length;
    } else {
      let document = message.indexOf(0, start + 4) + 1;
      for (; document < start + size; statements++) document += message.readInt32LE(document);
    }
    at = start + size;
  }
  return { command, statements };
}
