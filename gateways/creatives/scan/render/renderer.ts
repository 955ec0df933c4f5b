import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pause } from '#async/pause';
import type { AddressPolicy } from '#gateways/http/guarded-connect';
import type { Clock } from '#runtime/ports/clock';
import type { Random } from '#runtime/ports/random';
import { type HostingDeps, keepFile } from '../../host-file.ts';
import { miningSign } from '../html/miners.ts';
import type { ScanLoad } from '../scan-load.ts';
import { registrableDomain } from '../scan-trail.ts';
import { isPlainHttp } from '../trustworthy.ts';
import { GuardingProxy, RENDERED_HOST } from './guarding-proxy.ts';

export interface RendererDeps extends Pick<HostingDeps, 'storage' | 'room'> {
  /** The path of a Chromium, which is called by its command line. */
  readonly chromium: string;
  readonly settings: AddressPolicy;
  /** For the screenshot, until it is stored. */
  readonly stagingFolder: string;
  readonly clock: Clock;
  readonly random: Random;
}

export interface Renderer {
  /** Renders markup; answers the SHA-256 of a screenshot among the creatives' files, or null where there is none. */
  render(load: ScanLoad, markup: string, size: string, stop: AbortSignal): Promise<string | null>;
}

/** The creative's own time, which passes as fast as it has nothing to do. */
const VIRTUAL_TIME_MS = 8_000;
/** A browser that has not ended by then is killed with all its processes. */
const MAX_RENDER_MS = 25_000;
const DEFAULT_SIZE = '640,480';
const MAX_SCREENSHOT_BYTES = 5 * 1024 * 1024;

/**
 * Renders markup in a browser of its own with a fresh profile. All that the browser asks goes through a proxy that
 * leads to public addresses only; the hosts that were asked are added to what the scan measures.
 */
export function chromiumRenderer(deps: RendererDeps): Renderer {
  return {
    async render(load, markup, size, stop) {
      // The browser has a socket there, whose path must be short.
      const folder = await mkdtemp(join(tmpdir(), 'render-'));
      const screenshot = join(folder, 'screenshot.png');
      const proxy = await GuardingProxy.start({
        policy: deps.settings,
        page: pageOf(load.filled(markup)),
        onHost: (url, isPlain) => noteHost(load, url, isPlain),
        onForbidden: (url) =>
          load.findings.add(
            'forbidden-address',
            'When rendered, it asks for an address that is not public.',
            url.origin,
          ),
      });
      try {
        await browse(deps, proxy.address, { folder, screenshot, size: windowSize(size) }, stop);
        return await storeScreenshot(deps, screenshot);
      } finally {
        await proxy.close();
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      }
    },
  };
}

function noteHost(load: ScanLoad, url: URL, isPlain: boolean): void {
  load.domain(registrableDomain(url));
  if (isPlain && isPlainHttp(url)) {
    load.findings.add('plain-http', 'When rendered, it loads over plain HTTP.', url.href);
  }
  const sign = miningSign(url.href);
  if (sign !== null)
    load.findings.add('mining-script', `When rendered, it calls a host of miners (${sign}).`, url.origin);
}

function pageOf(markup: string): string {
  return `<!doctype html><html><head><meta charset="utf-8"><style>body{margin:0}</style></head><body>${markup}</body></html>`;
}

function windowSize(size: string): string {
  return /^\d{2,4}x\d{2,4}$/.test(size) ? size.replace('x', ',') : DEFAULT_SIZE;
}

interface Browsing {
  readonly folder: string;
  readonly screenshot: string;
  readonly size: string;
}

/** Resolves when the browser has ended, by itself or killed. */
async function browse(
  { chromium, clock }: RendererDeps,
  proxy: string,
  { folder, screenshot, size }: Browsing,
  stop: AbortSignal,
): Promise<void> {
  const flags = [
    '--headless',
    // Chromium refuses its sandbox to root, and only to root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--disable-quic',
    '--disable-dev-shm-usage',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-client-side-phishing-detection',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--disable-extensions',
    // The proxy judges addresses, and names what asks for private ones.
    '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,NetworkTimeServiceQuerying,OptimizationHints,MediaRouter,AutofillServerCommunication',
    '--disable-sync',
    '--dns-prefetch-disable',
    '--metrics-recording-only',
    '--mute-audio',
    '--no-pings',
    '--hide-scrollbars',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    `--proxy-server=http://${proxy}`,
    // By default a browser asks its own machine directly.
    '--proxy-bypass-list=<-loopback>',
    `--user-data-dir=${join(folder, 'profile')}`,
    `--window-size=${size}`,
    `--virtual-time-budget=${VIRTUAL_TIME_MS}`,
    `--screenshot=${screenshot}`,
  ];
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: folder, TMPDIR: folder, XDG_RUNTIME_DIR: folder };
  const browser = spawn(chromium, [...flags, `http://${RENDERED_HOST}/`], {
    cwd: folder,
    env,
    stdio: 'ignore',
    detached: true,
  });
  const ended = new AbortController();
  const exited = new Promise<void>((resolve) => {
    browser.once('error', () => resolve());
    browser.once('exit', () => resolve());
  }).finally(() => ended.abort());
  const giveUp = AbortSignal.any([stop, ended.signal]);
  await Promise.race([exited, pause(clock, MAX_RENDER_MS, giveUp)]);
  killGroup(browser.pid);
  await exited;
}

/** The browser's processes are a group of their own. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}

async function storeScreenshot(deps: RendererDeps, path: string): Promise<string | null> {
  const png = await readFile(path).catch(() => null);
  if (png === null || png.length === 0 || png.length > MAX_SCREENSHOT_BYTES) return null;
  const sha256 = createHash('sha256').update(png).digest('hex');
  const staged = join(deps.stagingFolder, deps.random.id());
  try {
    await writeFile(staged, png, { flag: 'wx' });
    await keepFile(deps, { sha256, path: staged, bytes: png.length, mimeType: 'image/png' });
  } finally {
    await rm(staged, { force: true });
  }
  return sha256;
}
