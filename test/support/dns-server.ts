import { createSocket } from 'node:dgram';
import { eventually } from './eventually.ts';

const A = 1;
const AAAA = 28;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;
const HEADER_BYTES = 12;

/** What a name has; `hangs`: its queries are not answered until {@link DnsServer.release} is called for it. */
export interface DnsName {
  readonly v4?: readonly number[];
  readonly v6?: readonly number[];
  readonly hangs?: boolean;
}

/** A DNS server on a UDP port of loopback. */
export interface DnsServer {
  /** As `Resolver.setServers` takes it. */
  readonly address: string;
  readonly names: Map<string, DnsName>;
  /** Waits until a name was asked for so often, by queries that wait or were answered. */
  waitForQueries(name: string, count: number): Promise<void>;
  /** Answers the queries of a name that hangs. */
  release(name: string): void;
  close(): Promise<void>;
}

export async function startDnsServer(names: Readonly<Record<string, DnsName>>): Promise<DnsServer> {
  const known = new Map(Object.entries(names));
  const queries = new Map<string, number>();
  const held: { readonly name: string; readonly answer: () => void }[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = questionOf(query);
    queries.set(name, (queries.get(name) ?? 0) + 1);
    const found = known.get(name);
    const answer = () => socket.send(answerTo(query.subarray(0, end), type, found), port, address);
    if (found?.hangs) held.push({ name, answer });
    else answer();
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    names: known,
    async waitForQueries(name, count) {
      await eventually(`${count} queries for ${name}`, () => (queries.get(name) ?? 0) >= count);
    },
    release(name) {
      for (const one of held) if (one.name === name) one.answer();
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** The one question of a query (RFC 1035 §4.1), and where it ends. */
function questionOf(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(question: Buffer, type: number, name: DnsName | undefined): Buffer {
  const data = type === A ? (name?.v4 ?? []).map((last) => [203, 0, 113, last]) : [];
  if (type === AAAA) for (const last of name?.v6 ?? []) data.push([0x26, 0x06, 0x47, 0, ...Array(11).fill(0), last]);
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | (name === undefined ? NO_SUCH_NAME : NO_ERROR), 2);
  head.writeUInt16BE(data.length, 6);
  head.writeUInt16BE(0, 10);
  // The name of the question, of class IN, with a lifetime of 0 s.
  const records = data.map((bytes) =>
    Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]),
  );
  return Buffer.concat([head, ...records]);
}
