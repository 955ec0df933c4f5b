import { strict as assert } from 'node:assert';
import { type IncomingMessage, request } from 'node:http';
import { Duplex } from 'node:stream';
import { Progress, ResponseParser, type ResponseSink } from '#gateways/bidders/channels/response-parser';

const JSON_BODY = '{"id":"r","seatbid":[{"bid":[{"id":"1","impid":"1","price":2.5}]}]}';

export const httpAnswerSamples = [
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${JSON_BODY.length}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n${JSON_BODY}`,
  'HTTP/1.1 204 No Content\r\nServer: x\r\nDate: Tue, 24 Nov 2026 09:00:00 GMT\r\n\r\n',
  'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n',
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7;a=b;c="d\\"e";f\r\n{"id":"\r\n3\r\nr"}\r\n0\r\nExpires: 0\r\nX-Sum: 1\r\n\r\n`,
  `HTTP/1.1 200\r\ntransfer-encoding: gzip, chunked\r\n\r\n00002\r\n{}\r\n000;x\r\n\r\n`,
  'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
  'HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nuntil the end',
  'HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 4\r\n\r\nnullsurplus',
  'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x00',
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n',
  'HTTP/1.1 500 Oops \x80\xff\r\nX-Empty:\r\nX-Spaces: \t a b \t\r\nContent-Length: 3 \r\n\r\nbad',
  'HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nthere',
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nA: b\r\n c\r\nTransfer-Encoding: identity\r\n\r\nabc',
  'HTTP/1.1 200 OK\nContent-Length: 1\n\nx',
];

/** node:http takes two CR for the end of a status line, which neither RFC 9112 nor the parser does. */
const ENDS_IN_TWO_CR = /HTTP\/[^\r\n]*\r\r/;
/** Longer inputs meet the bounds of heads, which are counted differently. */
const MOST_BYTES = 12_000;

/** What a client made of the bytes: an answer, or none. */
type Outcome = { readonly status: number; readonly body: string } | 'no answer';

interface Reading {
  readonly outcome: Outcome;
  /** Bytes read up to the end of the answer. */
  readonly bytes: number;
}

/**
 * The parser of the bidders' answers takes any bytes, however they are cut, as node:http does. What follows a complete
 * answer is kept from node:http: whether it refuses the answer for it depends on how the bytes are cut.
 */
export async function readHttpAnswer(text: string): Promise<void> {
  const bytes = Buffer.from(text.slice(0, MOST_BYTES), 'latin1');
  const pieces = cut(bytes);
  const ours = readByParser(pieces);
  assert.deepEqual(ours, readByParser([bytes]), 'cut and whole bytes are read differently');
  if (ENDS_IN_TWO_CR.test(text)) return;
  assert.deepEqual(
    ours.outcome,
    await readByNode(cut(bytes.subarray(0, ours.bytes))),
    'node:http reads them differently',
  );
}

/** Cuts at places that follow from the bytes, so that an input is cut the same each time. */
function cut(bytes: Buffer): Buffer[] {
  let state = bytes.length + 1;
  for (const byte of bytes.subarray(0, 512)) state = (Math.imul(state, 31) + byte) >>> 0;
  const longest = [1, 7, 64, 1_024, MOST_BYTES][state % 5]!;
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const length = 1 + ((state >>> 8) % longest);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

function readByParser(pieces: readonly Buffer[]): Reading {
  const parser = new ResponseParser();
  parser.begin();
  let status = 0;
  let body = '';
  const sink: ResponseSink = {
    head: (said) => {
      status = said;
    },
    body: (bytes, start, end) => {
      body += bytes.toString('latin1', start, end);
      return true;
    },
  };
  // One buffer for all reads, as the sockets have it: nothing may be kept that lies in it.
  const shared = Buffer.alloc(MOST_BYTES, 'x');
  let before = 0;
  for (const piece of pieces) {
    piece.copy(shared);
    const progress = parser.read(shared, 0, piece.length, sink);
    shared.fill('x', 0, piece.length);
    if (progress === Progress.COMPLETE) return { outcome: { status, body }, bytes: before + parser.end };
    if (progress !== Progress.MORE) break;
    before += piece.length;
  }
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  return { outcome: parser.finish() ? { status, body } : 'no answer', bytes };
}

function readByNode(pieces: readonly Buffer[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = new Duplex({
      read: () => undefined,
      write: (_chunk, _encoding, done) => {
        done();
        for (const piece of pieces) socket.push(Buffer.from(piece));
        socket.push(null);
      },
    });
    const end = (outcome: Outcome): void => {
      resolve(outcome);
      asking.destroy();
      socket.destroy();
    };
    const asking = request({ method: 'POST', createConnection: () => socket }, (answer) => read(answer));
    const read = (answer: IncomingMessage): void => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('error', () => end('no answer'));
      answer.on('end', () => {
        const status = answer.statusCode!;
        if (!answer.complete || status < 100 || status === 101) end('no answer');
        else end({ status, body: Buffer.concat(chunks).toString('latin1') });
      });
    };
    asking.on('error', () => end('no answer'));
    asking.on('upgrade', () => end('no answer'));
    asking.end();
  });
}
