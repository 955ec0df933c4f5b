import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what systems give to connections that go out, and to servers that take any port: those may take it a moment later. */
const LOWEST = 10_240;
const BEYOND = 32_768;
const MOST_TRIES = 50;

/** A port that nobody listens on now, and that tests beside this one are not likely to choose. */
export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(LOWEST, BEYOND);
    const listener = createServer();
    try {
      listener.listen(port, '127.0.0.1');
      await once(listener, 'listening');
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      continue;
    }
    listener.close();
    await once(listener, 'close');
    return port;
  }
}
