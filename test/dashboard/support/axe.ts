import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Fails when axe finds a serious or critical violation in what a page shows now: WCAG 2.2 A and AA, and best practices.
 */
export async function expectAccessible(page: Page): Promise<void> {
  // The debugger may add scripts where the page's own policy allows none.
  await page.evaluate(source);
  const results = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'], rules: { region: { enabled: true } } })",
  )) as AxeResults;
  const serious = results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target, any }) => `${target} ${any[0]?.message ?? ''}`).join(' | ')}`,
    );
  expect(serious, `of ${page.url()}`).to.deep.equal([]);
}

/** Fails when the page is wider than its window: nothing but tables scroll sideways, in boxes of their own. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const excess = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(excess, `pixels too wide: ${page.url()}`).to.equal(0);
}
