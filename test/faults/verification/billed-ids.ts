import { feedId } from '#actors/feed-page/feed-page-id';
import { readFeedPages } from '#gateways/management/resources/feed/read-feed-pages';
import { eventually } from '../../support/eventually.ts';
import type { Deployment } from '../exchange/deployment.ts';
import { readFeedDocuments } from './feed-documents.ts';

const EVENTS = 5_000;
const BOOKS_WITHIN_MS = 180_000;

interface Page {
  readonly events: readonly { readonly tracking_id: string; readonly billed_at: string }[];
  readonly has_more: boolean;
  readonly next_cursor: string;
  readonly complete_through: string;
}

/** When a tracking id was billed, ms since the epoch by the log's clock. */
interface Billed {
  readonly id: string;
  readonly dsp: string;
  readonly atMs: number;
}

/** How often each tracking id was billed, as the feeds of all demand sources tell once they are complete up to now. */
export async function readBilledIds(deployment: Deployment): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (const { id } of await readBilled(deployment)) times.set(id, (times.get(id) ?? 0) + 1);
  return times;
}

/** Each billing, as the feeds of all demand sources tell once they are complete up to now. */
export async function readBilled(deployment: Deployment): Promise<Billed[]> {
  if (deployment.hasLongFeeds) return readBilledInDocuments(deployment);
  const billed: Billed[] = [];
  const nowMs = deployment.nowMs();
  for (const dsp of deployment.dsps) {
    const page = async (cursor: string | null): Promise<Page> => {
      const query = new URLSearchParams({ type: 'impression', limit: String(EVENTS), ...(cursor && { cursor }) });
      // The store may be too slow for a while: a buyer asks again, too.
      const asked = async () => {
        const answered = await deployment.call('GET', `/api/dsp/${dsp}/feed?${query}`);
        return answered.status === 503 ? null : answered;
      };
      const answer = await eventually('a page of a feed', asked, { timeoutMs: BOOKS_WITHIN_MS, everyMs: 1_000 });
      if (answer.status !== 200) throw new Error(`the feed of ${dsp}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    await eventually('the feeds to be complete', async () => Date.parse((await page(null)).complete_through) > nowMs, {
      timeoutMs: BOOKS_WITHIN_MS,
      everyMs: 500,
    });
    let cursor: string | null = null;
    for (let more = true; more; ) {
      const { events, has_more: hasMore, next_cursor: next }: Page = await page(cursor);
      for (const { tracking_id: id, billed_at: at } of events) billed.push({ id, dsp, atMs: Date.parse(at) });
      cursor = next;
      more = hasMore;
    }
  }
  return billed;
}

async function readBilledInDocuments(deployment: Deployment): Promise<Billed[]> {
  const nowMs = deployment.nowMs();
  const store = await readFeedDocuments(deployment.mongodb, nowMs);
  const billed: Billed[] = [];
  for (const dsp of deployment.dsps) {
    for await (const events of readFeedPages(store, feedId(dsp, false), 0, nowMs)) {
      for (const event of events) {
        if (event.type !== 'impression') continue;
        const { trackingId: id, atMs } = event.read();
        billed.push({ id, dsp, atMs });
      }
    }
  }
  return billed;
}

/** Of a tracking URL: `t` is `<issue time>.<tracking id>`, with its signature after it. */
export function trackingIdOf(url: string): string {
  const id = new URL(url, 'http://edge.test').searchParams.get('t')?.split('.')[1];
  if (id === undefined) throw new Error(`${url} has no tracking id`);
  return id;
}

/** When the imp of a tracking URL was sold, ms since the epoch. */
export function soldAtMsOf(url: string): number {
  const token = new URL(url, 'http://edge.test').searchParams.get('t') ?? '';
  return Number.parseInt(token, 36);
}
