import type { Cluster, Member } from '#runtime/simulator/cluster';
import type { SeededRandom } from '#runtime/simulator/seeded-random';
import type { CornerCaseCounts } from './corner-case-counts.ts';

/** What strikes around the end of a day or month, where it would strike by chance in few runs. */
const DAY_END_FAULTS = [
  'owner stands still',
  'owner dies',
  'owner loses the log',
  'keeper dies',
  'edge clock jumps',
] as const;
const LASTS_MS = [1_000, 9_000] as const;
const JUMP_MS = 60_000;
const AROUND_MS = 2_000;

/** `inMs`: how long until the day ends. */
export function injectDayEndFaults(
  cluster: Cluster,
  random: SeededRandom,
  corners: CornerCaseCounts,
  inMs: number,
): void {
  const trouble = random.pick(DAY_END_FAULTS);
  const { time } = cluster.world;
  time.after(inMs + random.between(-AROUND_MS, 0.5 * AROUND_MS), `at the turn: ${trouble}`, () => {
    const isStruck = ({ hostsActors, name }: Member) =>
      trouble.startsWith('owner') ? hostsActors : trouble === 'keeper dies' ? name === 'edge-1' : !hostsActors;
    const struck = cluster.members.filter(isStruck);
    if (struck.length === 0) return;
    const member = random.pick(struck);
    const { process, log } = member;
    corners.count(`at the turn of a day: ${trouble}`);
    const lastsMs = random.between(...LASTS_MS);
    switch (trouble) {
      case 'owner stands still':
        process.pause();
        time.after(lastsMs, 'a process goes on', () => process.resume());
        break;
      case 'owner loses the log':
        log.connection.interrupt();
        time.after(lastsMs, 'the log is back', () => log.connection.restore());
        break;
      case 'edge clock jumps':
        process.wallSkewMs += random.between(-JUMP_MS, JUMP_MS);
        break;
      default:
        cluster.crash(member);
    }
  });
}
