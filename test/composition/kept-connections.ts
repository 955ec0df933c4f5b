import { Agent, request } from 'node:http';
import { firstSandbox } from '../../gateways/management/bootstrap/account-sandbox.ts';

/** Between two requests of a connection. */
const EVERY_MS = 20;

/** Callers with one kept connection each, which send bid requests to the sandbox's publisher steadily. */
export class KeptConnections {
  answered = 0;
  /** Why requests had no answer: `ECONNRESET`, … */
  readonly failures: string[] = [];
  readonly #url: string;
  readonly #callers: Promise<void>[];
  #going = true;

  constructor(edgeUrl: string, connections: number) {
    this.#url = `${edgeUrl}/rtb`;
    this.#callers = Array.from({ length: connections }, () => this.#call());
  }

  /** Resolves when no request is under way any more. */
  async end(): Promise<void> {
    this.#going = false;
    await Promise.all(this.#callers);
  }

  async #call(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (this.#going) {
      await this.#send(agent).then(
        () => this.answered++,
        (error) => this.failures.push(error.code ?? error.message),
      );
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
    agent.destroy();
  }

  #send(agent: Agent): Promise<void> {
    return new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json' };
      const sent = request(this.#url, { method: 'POST', agent, headers }, (response) => {
        response.once('error', reject).once('end', resolve).resume();
      });
      sent.once('error', reject);
      const site = { id: firstSandbox.publisherId, domain: 'sandbox.example' };
      sent.end(JSON.stringify({ id: 'kept', imp: [{ id: '1', banner: { w: 300, h: 250 } }], site }));
    });
  }
}
