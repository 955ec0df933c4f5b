import { existsSync } from 'node:fs';
import type { Context } from 'mocha';
import { type Browser, chromium } from 'playwright-core';
import { skipWithReason } from './skipped-tests.ts';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Switches that stop Chromium's own requests, so that a page causes its own requests only. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
];

/**
 * Launches the system's Chromium, headless. Without one the suite is skipped, or fails when REQUIRE_REAL_SERVERS is
 * set.
 */
export async function launchChromium(test: Context, more: readonly string[] = []): Promise<Browser> {
  if (!existsSync(EXECUTABLE)) {
    if (process.env.REQUIRE_REAL_SERVERS) throw new Error(`there is no Chromium at ${EXECUTABLE}: set CHROMIUM`);
    skipWithReason(test, `no Chromium at ${EXECUTABLE} (CHROMIUM)`);
  }
  return chromium.launch({ executablePath: EXECUTABLE, headless: true, args: [...QUIET, ...more], env: ownClock() });
}

/** This process's environment without the library of a run on another date, below which Chromium does not start. */
function ownClock(): NodeJS.ProcessEnv {
  const { LD_PRELOAD, ...rest } = process.env;
  return LD_PRELOAD?.includes('faketime') ? rest : process.env;
}
