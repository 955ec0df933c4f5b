import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

const LENGTH_BYTES = 4;

/** Sends values over a socket, each in a frame with its length; a value is copied when it is sent. */
export function sendFrame(socket: Socket, value: unknown): void {
  const body = serialize(value);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(body.length);
  socket.cork();
  socket.write(length);
  socket.write(body);
  socket.uncork();
}

/** Calls `onFrame` with each value that comes. */
export function readFrames(socket: Socket, onFrame: (value: unknown) => void): void {
  let pieces: Buffer[] = [];
  let held = 0;
  let wanted = LENGTH_BYTES;
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    held += piece.length;
    if (held < wanted) return;
    let bytes = pieces.length === 1 ? piece : Buffer.concat(pieces);
    for (;;) {
      if (bytes.length < LENGTH_BYTES) {
        wanted = LENGTH_BYTES;
        break;
      }
      const end = LENGTH_BYTES + bytes.readUInt32BE();
      if (bytes.length < end) {
        wanted = end;
        break;
      }
      onFrame(deserialize(bytes.subarray(LENGTH_BYTES, end)));
      bytes = bytes.subarray(end);
    }
    pieces = bytes.length === 0 ? [] : [bytes];
    held = bytes.length;
  });
}
