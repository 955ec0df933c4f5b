import type { Registry } from 'prom-client';
import type { Readiness } from '../readiness.ts';
import type { Served } from '../served.ts';
import { type Answers, type Asked, type Question, SUPERVISED_AS, type Told } from './protocol.ts';

interface Observed {
  readonly registry: Registry;
  readonly readiness: Readiness;
}

/** The connections of an edge, which the supervisor moves to others. */
interface Balanced {
  connections(): Promise<number>;
  keepConnections(kept: number): Promise<void>;
}

/** A process of a supervisor: it has no operations port, and answers the supervisor instead. */
export class Supervised {
  /** `edge-2`, or `others` of the one with all roles but that of edges. */
  readonly name: string;
  /** The number of an edge, from 1 on; null of another process. */
  readonly worker: number | null;
  readonly #restart: () => void;
  #edge: Balanced | null = null;

  private constructor(name: string, restart: () => void) {
    this.name = name;
    this.#restart = restart;
    const [, worker] = /^edge-(\d+)$/.exec(name) ?? [];
    this.worker = worker === undefined ? null : Number(worker);
  }

  /** This process, where a supervisor started it; otherwise null. `restart` drains and ends it. */
  static ofEnvironment(
    environment: Readonly<Record<string, string | undefined>>,
    restart: () => void,
  ): Supervised | null {
    const name = environment[SUPERVISED_AS];
    return name === undefined || process.send === undefined ? null : new Supervised(name, restart);
  }

  /** Answers what the supervisor asks, from now on. Its metrics have the label `process`. */
  observe({ registry, readiness }: Observed): void {
    registry.setDefaultLabels({ process: this.name });
    const answerTo = async (asked: Asked): Promise<Answers[Question['what']]> => {
      switch (asked.what) {
        case 'metrics':
          return registry.metrics();
        case 'connections':
          return this.#edge?.connections() ?? 0;
        case 'keepConnections':
          await this.#edge?.keepConnections(asked.kept);
          return null;
        case 'restart':
          this.#restart();
          return null;
        case 'readiness':
          return { missing: await readiness.missing(new Set(asked.leftOut)), underWay: readiness.underWay };
      }
    };
    process.on('message', (asked: Asked) => {
      answerTo(asked).then(
        (answer) => this.#tell({ id: asked.id, answer }),
        (error) => this.#tell({ id: asked.id, failure: String(error) }),
      );
    });
  }

  /** From now on the supervisor can move connections of this edge to others. */
  balances(edge: Balanced): void {
    this.#edge = edge;
  }

  serving(served: Served): void {
    this.#tell({ serving: served });
  }

  /** A supervisor that has died is no more there to be told. */
  #tell(told: Told): void {
    if (process.connected) process.send!(told, undefined, undefined, () => {});
  }
}
