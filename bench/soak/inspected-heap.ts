import { WebSocket } from 'ws';

interface Answer {
  readonly id?: number;
  readonly result?: { readonly usedSize?: number; readonly result?: { readonly value?: number } };
}

/** What V8 has compiled, and its notes about that: both grow for as long as it finds more that runs often. */
const CODE_BYTES = `(() => {
  const code = process.getBuiltinModule('node:v8').getHeapCodeStatistics();
  return code.code_and_metadata_size + code.bytecode_and_metadata_size;
})()`;

/** The heap of a process that was started with `--inspect=127.0.0.1:<port>`, seen from outside. */
export class InspectedHeap {
  readonly #socket: WebSocket;
  #asked = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  static async open(port: number): Promise<InspectedHeap> {
    const response = await fetch(`http://127.0.0.1:${port}/json`);
    const [target] = (await response.json()) as [{ webSocketDebuggerUrl: string }];
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return new InspectedHeap(socket);
  }

  /** The bytes in use after a full collection. */
  async usedBytes(): Promise<number> {
    await this.#ask('HeapProfiler.collectGarbage');
    return (await this.#ask('Runtime.getHeapUsage')).usedSize!;
  }

  /** The bytes of code among them. */
  async codeBytes(): Promise<number> {
    const { result } = await this.#ask('Runtime.evaluate', { expression: CODE_BYTES, returnByValue: true });
    return result!.value!;
  }

  close(): void {
    this.#socket.close();
  }

  #ask(method: string, params = {}): Promise<NonNullable<Answer['result']>> {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      const take = (data: unknown): void => {
        const answer = JSON.parse(String(data)) as Answer;
        if (answer.id !== id) return;
        this.#socket.off('message', take);
        if (answer.result === undefined) reject(new Error(`${method} failed`));
        else resolve(answer.result);
      };
      this.#socket.on('message', take);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }
}
