import { type Home, type Region, readRegions } from '../../edge/regions/read-regions.ts';
import type { MessageLog } from '../../runtime/ports/log.ts';
import { openRedisLog } from '../../runtime/providers/redis/open-redis-log.ts';
import { readSettings } from '../../settings.ts';
import { CommandFailed, EXIT, type Outcome, type Run } from '../definition.ts';
import { assertSilent } from './assert-silent.ts';

export const list: Run = () => withHome(async (home) => shown(await readRegions(home)));

export const writeOff: Run<{ readonly why: string; readonly force?: boolean }> = ({ args: [name], options }) =>
  withHome(async (home) => {
    const { why, force = false } = options;
    const known = await readRegions(home);
    if (!known.some((region) => region.name === name)) {
      throw new CommandFailed(`There is no log of the name ${name}.`, EXIT.refused, 'NOT_FOUND');
    }
    if (!force) await assertSilent(home, name!);
    // Edges look at the first partition: they hear of it however far this comes.
    for (const partition of home.partitions) await home.relayed.writeOff(partition, name!, why);
    return shown((await readRegions(home)).filter((region) => region.name === name));
  });

async function withHome<T>(work: (home: Home & { readonly log: Pick<MessageLog, 'tail'> }) => Promise<T>): Promise<T> {
  const { redisUrl, redisPrefix } = readSettings(process.env);
  if (redisUrl === null) throw new Error('REDIS_URL is not set: an embedded log has no regions');
  const { log, relayed, close } = await openRedisLog({ url: redisUrl, prefix: redisPrefix, mustBeKnown: true });
  try {
    return await work({
      relayed,
      log,
      partitions: Array.from({ length: log.partitions }, (_, partition) => partition),
    });
  } finally {
    await close();
  }
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
