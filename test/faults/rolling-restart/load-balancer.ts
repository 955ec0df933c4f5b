import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { callJson } from '../../support/exchange.ts';

const PROBE_EVERY_MS = 100;

export interface Backend {
  readonly name: string;
  readonly port: number;
  readonly opsPort: number;
}

/**
 * Balances connections, not requests: what a caller gets is what a backend said, and nothing is tried again. New
 * connections go to the backends whose /readyz was 200 when it was asked last.
 */
export class LoadBalancer {
  readonly #backends: readonly Backend[];
  readonly #ready = new Set<Backend>();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #next = 0;
  #probing: NodeJS.Timeout | null = null;

  constructor(backends: readonly Backend[]) {
    this.#backends = backends;
    this.#server = createServer((caller) => this.#pass(caller));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Names of the backends that new connections go to. */
  get ready(): string[] {
    return [...this.#ready].map(({ name }) => name).sort();
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    await this.#probe();
  }

  close(): void {
    if (this.#probing) clearTimeout(this.#probing);
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #probe(): Promise<void> {
    const probes = this.#backends.map(async (backend) => {
      const answer = await callJson('GET', `http://127.0.0.1:${backend.opsPort}/readyz`).catch(() => null);
      if (answer?.status === 200) this.#ready.add(backend);
      else this.#ready.delete(backend);
    });
    await Promise.all(probes);
    if (this.#server.listening) this.#probing = setTimeout(() => void this.#probe(), PROBE_EVERY_MS);
  }

  #pass(caller: Socket): void {
    const ready = [...this.#ready];
    const backend = ready[this.#next++ % ready.length];
    if (!backend) {
      caller.destroy();
      return;
    }
    const behind = connect(backend.port, '127.0.0.1');
    for (const [socket, other] of [
      [caller, behind],
      [behind, caller],
    ] as const) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroySoon();
      });
      socket.pipe(other);
    }
  }
}
