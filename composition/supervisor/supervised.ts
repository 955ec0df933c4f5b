import type { Registry } from 'prom-client';
import type { Readiness } from '../readiness.ts';
import type { Served } from '../served.ts';
import { type Asked, SUPERVISED_AS, type Told } from './protocol.ts';

interface Observed {
  readonly registry: Registry;
  readonly readiness: Readiness;
}

/** A process of a supervisor: it has no operations port, and answers the supervisor instead. */
export class Supervised {
  /** `edge-2`, or `others` of the one with all roles but that of edges. */
  readonly name: string;
  /** The number of an edge, from 1 on; null of another process. */
  readonly worker: number | null;

  private constructor(name: string) {
    this.name = name;
    const [, worker] = /^edge-(\d+)$/.exec(name) ?? [];
    this.worker = worker === undefined ? null : Number(worker);
  }

  /** This process, where a supervisor started it; otherwise null. */
  static ofEnvironment(environment: Readonly<Record<string, string | undefined>>): Supervised | null {
    const name = environment[SUPERVISED_AS];
    return name === undefined || process.send === undefined ? null : new Supervised(name);
  }

  /** Answers what the supervisor asks, from now on. Its metrics have the label `process`. */
  observe({ registry, readiness }: Observed): void {
    registry.setDefaultLabels({ process: this.name });
    const answerTo = async (asked: Asked): Promise<unknown> => {
      if (asked.what === 'metrics') return registry.metrics();
      return { missing: await readiness.missing(new Set(asked.leftOut)), underWay: readiness.underWay };
    };
    process.on('message', (asked: Asked) => {
      answerTo(asked).then(
        (answer) => this.#tell({ id: asked.id, answer }),
        (error) => this.#tell({ id: asked.id, failure: String(error) }),
      );
    });
  }

  serving(served: Served): void {
    this.#tell({ serving: served });
  }

  /** A supervisor that has died is no more there to be told. */
  #tell(told: Told): void {
    if (process.connected) process.send!(told, undefined, undefined, () => {});
  }
}
