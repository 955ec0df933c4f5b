import type { Socket } from 'node:net';

const LENGTH_BYTES = 4;

/** Sends values over a socket, as JSON in frames with their lengths; a value is copied when it is sent. */
export function sendFrame(socket: Socket, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
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
      onFrame(JSON.parse(bytes.toString('utf8', LENGTH_BYTES, end)));
      bytes = bytes.subarray(end);
    }
    pieces = bytes.length === 0 ? [] : [bytes];
    held = bytes.length;
  });
}
