import { impressionRollup } from '#actors/impression-rollup/impression-rollup';
import { ledger } from '#actors/ledger/ledger';
import type { AnyActorDefinition } from '#runtime/actor/define-actor';
import { hashAddress } from '#runtime/node/kind-registry';
import type { Cluster, Member } from '#runtime/simulator/cluster';
import type { SeededRandom } from '#runtime/simulator/seeded-random';

const ONE_IN = 30;
const KINDS: readonly string[] = [impressionRollup.kind, ledger.kind];
const REASON = 'a fault of this release';
const LETTERS_AT_MOST = 1_000;
const REPLAYS_EVERY_MS = 50;
const PATIENCE_MS = 3_000;
/** The clock of who replays may differ from the log's by a minute: statements and budgets wait for that. */
const CLOCKS_DIFFER_MS = 50_000;

/**
 * A release that cannot take some impressions, and some messages to ledgers; they are parked, until another is rolled
 * out, and are replayed then.
 */
export class FaultyRelease {
  /** Whether it is the faulty one that runs, everywhere. */
  runs = false;

  within(definitions: readonly AnyActorDefinition[]): readonly AnyActorDefinition[] {
    return definitions.map((definition) => {
      if (!KINDS.includes(definition.kind)) return definition;
      return {
        ...definition,
        handle: (state, message, context) => {
          if (this.runs && hashAddress(nameOf(message.body, context.id)) % ONE_IN === 0) throw new Error(REASON);
          return definition.handle(state, message, context);
        },
      };
    });
  }

  /** Whether this is why a message was parked. */
  explains(reason: string): boolean {
    return reason.includes(REASON);
  }
}

/** What tells a message from all others of its kind, however often it is sent. */
function nameOf(body: unknown, to: string): string {
  const { id, partition, version, hour } = body as Readonly<Record<string, string | number | undefined>>;
  return typeof id === 'string' ? id : `${to} ${partition} ${version} ${hour}`;
}

/** An operator replays what is parked, at a process that answers and whose clock is right enough. */
export async function replayParked(cluster: Cluster, random: SeededRandom): Promise<void> {
  const { time } = cluster.world;
  for (const { id, replayedAtMs } of cluster.store.deadLetters(LETTERS_AT_MOST, '')) {
    if (replayedAtMs !== null) continue;
    await time.sleep(random.exponential(REPLAYS_EVERY_MS), 'somebody looks at a dead letter');
    const isRight = ({ process }: Member) => Math.abs(process.now() - cluster.log.nowMs) < CLOCKS_DIFFER_MS;
    const { reachable } = cluster;
    if (reachable.length === 0) continue;
    // Clocks that have all gone wrong are an operator's to set right, or nothing could ever be replayed.
    if (!reachable.some(isRight)) reachable[0]!.process.wallSkewMs += cluster.log.nowMs - reachable[0]!.process.now();
    const able = reachable.filter(isRight);
    const replayed = random
      .pick(able)
      .node.deadLetters.replay(id)
      .then(
        () => {},
        () => {},
      );
    await time.atMost(replayed, PATIENCE_MS, 'somebody waits no longer for a replay');
  }
}
