import type { Settings } from '#settings';
import type { Check } from '../check.ts';
import { type Finding, fail, ok, warn } from '../finding.ts';

/** An edge whose clock is off by more sells nothing that has a budget (docs/reliability.md). */
const TOO_FAR_MS = 5 * 60_000;
/** Clocks that are kept by NTP differ by less; the header Date has whole seconds. */
const NEAR_MS = 1_000;
const ASK_MS = 5_000;

interface Compared {
  readonly whose: string;
  readonly aheadMs: number;
}

/** How far the clock of this machine is from those of its servers. What does not answer is told by its own check. */
export const clocks: Check = {
  name: 'clocks',
  async find(settings) {
    const compared = (await Promise.all([ofRedis(settings), ofMongodb(settings), ofApi(settings)])).flat();
    if (compared.length === 0) return [ok('nothing to compare the clock of this machine with')];
    const off = compared.filter(({ aheadMs }) => Math.abs(aheadMs) > NEAR_MS);
    if (off.length > 0) return off.map(judge);
    const whose = compared.map(({ whose }) => whose).join(', ');
    return [ok(`the clock of this machine agrees with: ${whose}`)];
  },
};

function judge({ whose, aheadMs }: Compared): Finding {
  const found = `the clock of this machine is ${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs > 0 ? 'behind' : 'ahead of'} that of ${whose}`;
  const todo = 'run an NTP client (chronyd, systemd-timesyncd) on both machines';
  if (Math.abs(aheadMs) > TOO_FAR_MS) {
    return fail(found, 'edges here sell nothing that has a budget, and events are booked at wrong times', todo);
  }
  return warn(found, 'events near the end of an hour or a month are booked on its other side', todo);
}

/** The servers with logs: what is appended there gets their times. */
async function ofRedis({ redisUrl, regionRedisUrl, factsRedisUrl }: Settings): Promise<Compared[]> {
  const urls = [...new Set([redisUrl, regionRedisUrl, factsRedisUrl])].filter((url) => url !== null);
  if (urls.length === 0) return [];
  const { inspectRedis } = await import('#runtime/providers/redis/inspect-servers');
  const servers = await Promise.all(urls.map((url) => inspectRedis(url, 0).catch(() => [])));
  return servers.flat().map(({ where, clockAheadMs }) => ({ whose: where, aheadMs: clockAheadMs }));
}

async function ofMongodb({ mongodbUrl }: Settings): Promise<Compared[]> {
  if (mongodbUrl === null) return [];
  const { inspectMongodb } = await import('#runtime/providers/mongodb/inspect-server');
  const clockAheadMs = await inspectMongodb(mongodbUrl).then(
    (server) => server.clockAheadMs,
    () => null,
  );
  return clockAheadMs === null ? [] : [{ whose: 'MongoDB', aheadMs: clockAheadMs }];
}

async function ofApi({ publicBaseUrl, given }: Settings): Promise<Compared[]> {
  if (!given.has('PUBLIC_BASE_URL')) return [];
  const askedAtMs = Date.now();
  const date = await fetch(new URL('/api/health', publicBaseUrl), { signal: AbortSignal.timeout(ASK_MS) }).then(
    (response) => response.headers.get('Date'),
    () => null,
  );
  if (date === null) return [];
  // The header says the second that had begun.
  const aheadMs = Date.parse(date) + 500 - (askedAtMs + Date.now()) / 2;
  return Number.isNaN(aheadMs) ? [] : [{ whose: new URL(publicBaseUrl).host, aheadMs }];
}
