import type { Context } from 'mocha';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.ts';
import { type ProviderPair, startTestExchange, type TestExchange } from '../../support/exchange.ts';
import { type Complaints, complaintsOf } from './complaints.ts';

export interface Visit {
  /** In CSS pixels; 1440 by default. */
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  /** The first user, an operator, unless another's email and password are given; null for no user. */
  readonly as?: { readonly email: string; readonly password: string } | null;
}

/** A page in a browser context of its own: cookies and storage are not shared. */
export interface VisitedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the page was told off for: errors of scripts and breaches of the Content-Security-Policy. */
  readonly complaints: Complaints;
}

/** A whole exchange and a browser. */
export interface RunningDashboard {
  readonly exchange: TestExchange;
  readonly browser: Browser;
  /** Opens a path of the dashboard, by default as the operator. */
  visit(path: string, visit?: Visit): Promise<VisitedPage>;
  stop(): Promise<void>;
}

/** Starts an exchange of its own and Chromium; without Chromium the suite is left out. */
export async function startDashboard(
  test: Context,
  pair: ProviderPair = 'embedded',
  environment: Record<string, string> = {},
  browserArguments: readonly string[] = [],
): Promise<RunningDashboard> {
  const browser = await launchChromium(test, browserArguments);
  const exchange = await startTestExchange(test, pair, environment).catch(async (error) => {
    await browser.close();
    throw error;
  });
  const cookies = new Map<string, string>();

  /** Of one session for each user: logging in is dear. */
  const cookieOf = async (as: { email: string; password: string }): Promise<string> => {
    const known = cookies.get(as.email) ?? (await exchange.logIn(as));
    cookies.set(as.email, known);
    return known;
  };

  return {
    exchange,
    browser,
    async visit(path, { width = 1440, scheme = 'light', as = exchange.admin } = {}) {
      const context = await browser.newContext({
        baseURL: exchange.baseUrl,
        viewport: { width, height: width < 600 ? 844 : 900 },
        colorScheme: scheme,
        // What fades in is judged as it stays.
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      if (as !== null) {
        const [name = '', value = ''] = (await cookieOf(as)).split('=', 2);
        await context.addCookies([{ name, value, url: exchange.baseUrl }]);
      }
      const page = await context.newPage();
      const complaints = await complaintsOf(page);
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      return { page, context, complaints };
    },
    async stop() {
      await browser.close();
      await exchange.stop();
    },
  };
}
