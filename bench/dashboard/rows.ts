import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { createUnlimitedAccount } from '../management/unlimited-account.ts';
import { MEASURED_CORE, useAllCores } from '../processes/cores.ts';
import { startExchange } from '../processes/exchange.ts';
import { millis, type Row, skipped } from '../row.ts';
import { median, percentile } from '../statistics.ts';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ADMIN = { ADMIN_EMAIL: 'admin@bench.example', ADMIN_PASSWORD: 'the password of a benchmark' };
const LOADS = 10;
const SOURCES = 10_000;
const STEPS = 200;
/** The distance of one step of a fast wheel. */
const STEP_PX = 120;
const FIRST_LOAD_BYTES = 250_000;
const INTERACTIVE_MS = 1_500;
/** Two frames at 60 Hz. */
const FRAME_MS = 34;

/**
 * Measures the dashboard in the system's Chromium with an empty cache: how much it loads, when it can be used, and how
 * a long list scrolls.
 */
export async function dashboardRows(): Promise<Row[]> {
  if (!existsSync(EXECUTABLE)) return [skipped('dashboard', `Chromium at ${EXECUTABLE} (CHROMIUM)`)];
  useAllCores();
  const exchange = await startExchange(MEASURED_CORE, ADMIN, createUnlimitedAccount);
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const base = `http://127.0.0.1:${exchange.port}`;
    const loads: Load[] = [];
    for (let load = 0; load < LOADS; load += 1) loads.push(await loadOnce(browser, base));
    const { frames, rows } = await scrollList(browser, base);
    const interactive = loads.map(({ interactiveMs }) => interactiveMs);
    const bytes = median(loads.map((load) => load.bytes));
    const longest = percentile(frames, 0.95);
    return [
      {
        ...{ what: 'dashboard, overview: bodies until it can be used, gzip', floor: '', ratio: '' },
        figure: `${Math.round(bytes / 1000)} KB in ${median(loads.map((load) => load.files))} files`,
        target: `≤ ${FIRST_LOAD_BYTES / 1000} KB`,
        reached: bytes <= FIRST_LOAD_BYTES,
      },
      {
        ...{ what: 'dashboard, overview: until it can be used, empty cache, p50', floor: '', ratio: '' },
        figure: `${millis(median(interactive))} (most ${millis(Math.max(...interactive))})`,
        target: `≤ ${INTERACTIVE_MS} ms`,
        reached: median(interactive) <= INTERACTIVE_MS,
      },
      {
        ...{ what: `dashboard, list of ${SOURCES.toLocaleString('en-US')} publishers: a frame while it scrolls, p95` },
        figure: `${millis(longest)} (p50 ${millis(median(frames))}, ${rows} rows in the page)`,
        ...{ floor: '', ratio: '', target: `≤ ${FRAME_MS} ms`, reached: longest <= FRAME_MS },
      },
    ];
  } finally {
    await browser.close();
    await exchange.stop();
  }
}

interface Load {
  readonly bytes: number;
  readonly files: number;
  /** The time from navigation until the figures of the day are shown and can be clicked. */
  readonly interactiveMs: number;
}

async function logIn(browser: Browser, base: string): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: 1440, height: 900 },
    extraHTTPHeaders: { 'Accept-Encoding': 'gzip' },
  });
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = ADMIN;
  const answer = await context.request.post('/api/auth/login', { data: { email, password } });
  if (!answer.ok()) throw new Error(`logging in was answered ${answer.status()}`);
  return context;
}

async function loadOnce(browser: Browser, base: string): Promise<Load> {
  const context = await logIn(browser, base);
  const page = await context.newPage();
  const bodies = bodiesOf(page);
  const begun = performance.now();
  await page.goto('/');
  await page.getByRole('region', { name: 'Today' }).getByText('Requests').click();
  const interactiveMs = performance.now() - begun;
  const sizes = await Promise.all(bodies);
  await context.close();
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), files: sizes.length, interactiveMs };
}

/** The sizes of the page and its files as transferred. Responses of the API and later requests do not count. */
function bodiesOf(page: Page): Promise<number>[] {
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (!new URL(request.url()).pathname.startsWith('/api/')) {
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    }
  });
  return sizes;
}

async function scrollList(
  browser: Browser,
  base: string,
): Promise<{ readonly frames: number[]; readonly rows: number }> {
  const context = await logIn(browser, base);
  const page = await context.newPage();
  await page.route('**/api/supply/sources?*', (route) => route.fulfill(pageOfSources(new URL(route.request().url()))));
  await page.goto('/supply');
  await page.getByRole('row').nth(20).waitFor();
  // The debugger may run code that the page's own policy (CSP) forbids in the page.
  const frames = (await page.evaluate(`new Promise((done) => {
    const frames = [];
    let last = performance.now();
    const step = (now) => {
      frames.push(now - last);
      last = now;
      if (frames.length > ${STEPS}) return done(frames.slice(1));
      scrollBy(0, ${STEP_PX});
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`)) as number[];
  const rows = await page.getByRole('row').count();
  await context.close();
  return { frames, rows };
}

/** A page of a long list in the form of the API; the speed of the API is another row (`--only management`). */
function pageOfSources({ searchParams }: URL): { readonly json: object; readonly headers: Record<string, string> } {
  const perPage = Number(searchParams.get('per_page'));
  const page = Number(searchParams.get('page') ?? 1);
  const publishers = Array.from({ length: perPage }, (_, index) => {
    const number = (page - 1) * perPage + index;
    return {
      id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
      ...{ name: `Publisher ${number}`, domain: `site-${number}.example`, type: 'web', status: 'active' },
      ...{ pool_id: null, floor_price_cpm: 1.5, created_at: '2026-03-14T09:26:53.589Z' },
    };
  });
  return { json: { publishers, total: SOURCES, page }, headers: { 'X-Total-Count': String(SOURCES) } };
}
