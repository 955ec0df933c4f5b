import type { Page } from 'playwright-core';

/**
 * Resolves once the page shows what it waited for: its heading is there, and no placeholder is left. A locator waits
 * for that, since the page's own policy refuses a function given as text that is asked more than once.
 */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('[aria-busy="true"], .mantine-Skeleton-root[data-visible]').first().waitFor({ state: 'detached' });
}
