import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import type { AnyActorDefinition } from '#runtime/actor/define-actor';
import { type ActorNode, createNode, type NodeOptions } from '#runtime/node/node';
import type { Clock } from '#runtime/ports/clock';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';

export const PARTITIONS = 4;

/** The embedded pair in a folder of its own, and the nodes that a test runs on it, one after the other. */
export class RunningNodes {
  readonly embedded: Embedded;
  /** Warnings and errors of every node. */
  readonly logged: { readonly fields: Record<string, unknown>; readonly message: string }[] = [];
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #nodes: ActorNode[] = [];
  #registry = new Registry();

  private constructor(folder: string, embedded: Embedded, clock: Clock) {
    this.#folder = folder;
    this.embedded = embedded;
    this.#clock = clock;
  }

  static async open(clock: Clock = systemClock): Promise<RunningNodes> {
    const folder = await mkdtemp(join(tmpdir(), 'exchange-node-'));
    return new RunningNodes(folder, await openEmbedded({ folder, partitions: PARTITIONS, clock }), clock);
  }

  /** `prepare` is called before the node starts. */
  async start(
    definitions: readonly AnyActorDefinition[],
    options: Partial<NodeOptions> = {},
    prepare: (node: ActorNode) => void = () => undefined,
  ): Promise<ActorNode> {
    const log = (fields: object, message: string) => this.logged.push({ fields: { ...fields }, message });
    this.#registry = new Registry();
    const node = createNode({
      name: 'node',
      provider: this.embedded.log,
      store: this.embedded.store,
      clock: this.#clock,
      random: systemRandom,
      definitions,
      hostsActors: true,
      replicates: [],
      logger: { debug: () => undefined, info: () => undefined, warn: log, error: log },
      registry: this.#registry,
      ...options,
    });
    this.#nodes.push(node);
    prepare(node);
    await node.start();
    return node;
  }

  /** The sum of a metric's samples at the node started last. */
  async metric(name: string): Promise<number> {
    const { values } = await this.#registry.getSingleMetric(name)!.get();
    return values.reduce((sum, { value }) => sum + value, 0);
  }

  /** Entries in the log that no saved state covers yet. */
  async unhandled(): Promise<number> {
    const { log } = this.embedded.log;
    const tails = await Promise.all(Array.from({ length: log.partitions }, (_, partition) => log.tail(partition)));
    return tails.reduce((sum, { length }) => sum + length, 0);
  }

  /** Stops what runs and removes the folder. Stopping twice is harmless. */
  async close(): Promise<void> {
    for (const node of this.#nodes) await node.stop();
    await this.embedded.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
