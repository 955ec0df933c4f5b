import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The range of candidates lies below the ephemeral ports, which systems give to outgoing connections and to servers on
 * port 0.
 */
const LOWEST = 10_240;
const BEYOND = 32_768;
const MOST_TRIES = 50;

/** A port that is free now, and that concurrent tests are not likely to choose. */
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
