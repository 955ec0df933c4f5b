/** A page holds the events of this many ms of the log's time: short, so that a page is rewritten only a few times. */
export const PAGE_SPAN_MS = 10_000;

/**
 * The first impressions, up to this number, that a partition has of a feed in a stretch go on one page of all
 * partitions, so that a quiet demand source has one page in a stretch. A packed row takes at most 700 bytes: those of
 * 1,024 partitions are 11 MB.
 */
export const FIRST_PAGE_IMPRESSIONS = 16;
/** The most impressions from each of the partitions that share a further page: 1.4 MB at most, 150 KB as a rule. */
export const OVERFLOW_PAGE_IMPRESSIONS = 256;
const OVERFLOW_PAGE_PARTITIONS = 8;

const START_DIGITS = 13;

/**
 * The id of one demand source's feed: `<DSP>:live`, or `<DSP>:sandbox.<generation>`. Live and sandbox do not mix, and a
 * flushed sandbox begins another feed (see sandbox-generation.ts).
 */
export function feedId(dspId: string, sandbox: boolean, sandboxGeneration = 0): string {
  return `${encodeURIComponent(dspId)}:${sandbox ? `sandbox.${sandboxGeneration}` : 'live'}`;
}

/**
 * The id of the feed of views of a demand source's live impressions, for log-level data: it is stored as wins are, and
 * apart from them, so that no reader of wins comes across it.
 */
export function viewFeedId(dspId: string): string {
  return `${encodeURIComponent(dspId)}:views`;
}

/** The start of the stretch that contains an instant of the log's clock. */
export function pageStartOf(atMs: number): number {
  return Math.floor(atMs / PAGE_SPAN_MS) * PAGE_SPAN_MS;
}

/** The lowest id of the pages of a feed that start at `startMs` or later; ids of pages sort by feed and time. */
export function lowestPageId(feed: string, startMs: number): string {
  return `${feed}:${String(startMs).padStart(START_DIGITS, '0')}`;
}

/** The feed that a page belongs to. */
export function feedIdOfPage(pageId: string): string {
  return pageId.split(':', 2).join(':');
}

/** The page that holds the first impressions of every partition. */
export function firstPageId(feed: string, startMs: number): string {
  return `${lowestPageId(feed, startMs)}:i0`;
}

/** A further page of a partition and its neighbours, by its number in the stretch. */
export function overflowPageId(feed: string, startMs: number, partition: number, number: number): string {
  return `${lowestPageId(feed, startMs)}:i${Math.floor(partition / OVERFLOW_PAGE_PARTITIONS)}.${number}`;
}

/** The address of wins; the log time of the message selects the page of the stretch. */
export function winQueueId(feed: string, queue: string): string {
  return `${feed}:w${queue}`;
}

/**
 * The page that a message to `id` is for: by its log time for wins, the named page for impressions. Throws for an
 * invalid page.
 */
export function pageIdAt(id: string, logTimeMs: number): string {
  const queue = id.lastIndexOf(':');
  const feed = id.slice(0, queue);
  const page = feed.split(':').length === 2 ? `${lowestPageId(feed, pageStartOf(logTimeMs))}${id.slice(queue)}` : id;
  parsePageId(page);
  return page;
}

/** The start of a page's stretch, ms since the epoch, and what the page holds. Throws for an invalid id. */
export function parsePageId(id: string): { readonly startMs: number; readonly holds: 'impression' | 'win' } {
  const [, , start = '', place = ''] = id.split(':');
  const startMs = Number(start);
  if (start.length !== START_DIGITS || !(startMs >= 0) || !/^[iw]/.test(place))
    throw new Error(`no page is named ${id}`);
  return { startMs, holds: place.startsWith('i') ? 'impression' : 'win' };
}
