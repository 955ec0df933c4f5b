import { Gauge, Registry } from 'prom-client';
import { mergeMetrics } from './merge-metrics.ts';

/** A process of the supervisor; `serving` is null until it serves, and after it has ended. */
interface Measured {
  readonly name: string;
  readonly serving: { ask(question: { readonly what: 'metrics' }): Promise<string> } | null;
}

/** The metrics of all processes of a supervisor, and which of them have told theirs. */
export class GatheredMetrics {
  readonly #registry: Registry;
  readonly #up: Gauge<'process'>;

  constructor(registry = new Registry()) {
    this.#registry = registry;
    this.#up = new Gauge({
      name: 'exchange_process_up',
      help: '1 while a process of this supervisor answers it, and 0 otherwise: its other metrics are missing then',
      labelNames: ['process'],
      registers: [registry],
    });
  }

  /** Prometheus text. Never rejects: a process that does not answer is missing in it, and said to be. */
  async of(processes: readonly Measured[]): Promise<string> {
    const texts = await Promise.all(
      processes.map(({ serving }) => serving?.ask({ what: 'metrics' }).catch(() => null)),
    );
    for (const [index, text] of texts.entries()) {
      this.#up.set({ process: processes[index]!.name }, typeof text === 'string' ? 1 : 0);
    }
    return mergeMetrics([await this.#registry.metrics(), ...texts.filter((text) => typeof text === 'string')]);
  }
}
