import { expect } from 'chai';
import type { Page } from 'playwright-core';

/** What went wrong in a page that no user would be told of. */
export interface Complaints {
  readonly all: readonly string[];
  /** Fails when a script failed or the policy refused something, but for what is `expected`. */
  expectNone(expected?: RegExp): void;
}

/** The browser says so itself of each answer from 400 on; pages tell their users of those. */
const FAILED_ANSWER = /^Failed to load resource/;

/** Listens to a page from now on: to errors of its scripts, and to what its Content-Security-Policy refused. */
export async function complaintsOf(page: Page): Promise<Complaints> {
  const all: string[] = [];
  page.on('pageerror', ({ message }) => all.push(`error: ${message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' || FAILED_ANSWER.test(message.text())) return;
    all.push(`console: ${message.text()}`);
  });
  return {
    all,
    expectNone(expected) {
      const others = all.filter((one) => expected === undefined || !expected.test(one));
      expect(others, 'errors and refusals in the page').to.deep.equal([]);
    },
  };
}
