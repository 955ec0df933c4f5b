import { encodedPriceOf } from '../../edge/regions/too-late-money.ts';
import type { RelayedAppends } from '../../runtime/ports/relayed.ts';
import { openRedisLog } from '../../runtime/providers/redis/open-redis-log.ts';
import { readSettings } from '../../settings.ts';
import { CommandFailed, EXIT, type Outcome, type Run } from '../definition.ts';

/** How many entries that came too late are read of each partition. */
const MOST_TOO_LATE = 100_000;

interface Region {
  readonly name: string;
  /** To when all of it is at home: ISO 8601; null before the first word of it. */
  readonly drained_through: string | null;
  readonly written_off: string | null;
  readonly too_late: { readonly impressions: number; readonly gross_nanos: number };
}

export const list: Run = () => withHome(async (home) => shown(await readRegions(home)));

export const writeOff: Run<{ readonly why: string }> = ({ args: [name], options: { why } }) =>
  withHome(async (home) => {
    const known = await readRegions(home);
    if (!known.some((region) => region.name === name)) {
      throw new CommandFailed(`There is no log of the name ${name}.`, EXIT.refused, 'NOT_FOUND');
    }
    for (const partition of home.partitions) await home.relayed.writeOff(partition, name!, why);
    return shown((await readRegions(home)).filter((region) => region.name === name));
  });

interface Home {
  readonly relayed: RelayedAppends;
  readonly partitions: readonly number[];
}

async function withHome<T>(work: (home: Home) => Promise<T>): Promise<T> {
  const { redisUrl, redisPrefix } = readSettings(process.env);
  if (redisUrl === null) throw new Error('REDIS_URL is not set: an embedded log has no regions');
  const { log, relayed, close } = await openRedisLog({ url: redisUrl, prefix: redisPrefix, mustBeKnown: true });
  try {
    return await work({ relayed, partitions: Array.from({ length: log.partitions }, (_, partition) => partition) });
  } finally {
    await close();
  }
}

/** A region is written off when no partition takes it any more, and drained as far as its least drained partition. */
async function readRegions({ relayed, partitions }: Home): Promise<Region[]> {
  const sources = await Promise.all(partitions.map((partition) => relayed.sources(partition)));
  const parked = (await Promise.all(partitions.map((partition) => relayed.tooLate(partition, MOST_TOO_LATE)))).flat();
  const names = [...new Set(sources.flat().map(({ source }) => source))].sort();
  return names.map((name) => {
    const parts = sources.flat().filter(({ source }) => source === name);
    const throughMs = Math.min(...parts.map((part) => part.throughMs));
    const isWrittenOff = parts.length === partitions.length && parts.every(({ writtenOff }) => writtenOff !== null);
    const late = parked.filter(({ source }) => source === name);
    return {
      name,
      drained_through: throughMs === 0 ? null : new Date(throughMs).toISOString(),
      written_off: isWrittenOff ? parts[0]!.writtenOff : null,
      too_late: {
        impressions: late.length,
        gross_nanos: late.reduce((sum, { payload }) => sum + encodedPriceOf(payload), 0),
      },
    };
  });
}

function shown(regions: readonly Region[]): Outcome {
  if (regions.length === 0) {
    return { json: [], text: 'No region has a log of its own.\n', exitCode: EXIT.refused };
  }
  const lines = regions.map(({ name, drained_through, written_off, too_late: { impressions, gross_nanos } }) => {
    const drained = drained_through === null ? 'nothing heard of it yet' : `at home through ${drained_through}`;
    const given = written_off === null ? '' : `; written off: ${written_off}`;
    const late = impressions === 0 ? '' : `; too late: ${impressions} impressions, ${gross_nanos} nano-dollars`;
    return `${name}: ${drained}${given}${late}\n`;
  });
  return { json: regions, text: lines.join('') };
}
