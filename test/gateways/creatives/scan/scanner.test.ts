import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { CreativeState } from '#actors/creative/reduce';
import { type CreativeOrigin, file, startCreativeOrigin } from '#test/support/creative-origin';
import { eventually } from '#test/support/eventually';
import { PNG_300_250 } from '#test/support/sample-media';
import { declareSkipped } from '#test/support/skipped-tests';
import { type RunningScanner, startRunningScanner } from './running-scanner.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

describe('gateways/creatives/scan', () => {
  let origin: CreativeOrigin;
  before(async () => {
    origin = await startCreativeOrigin();
  });
  after(() => origin.close());

  describe('of creatives that are due', () => {
    let scanner: RunningScanner;
    before(async function () {
      scanner = await startRunningScanner(this);
    });
    after(() => scanner?.close());

    it('begins within two seconds of the first sale', async function () {
      const usual = await startRunningScanner(this, { pollMs: 1_000 });
      origin.answer('/first.js', file(Buffer.from('1;'), 'text/javascript'));
      try {
        await usual.see({ markup: `<script src="${origin.url('/first.js')}"></script>` });
        const soldMs = performance.now();
        await eventually('its script was asked for', () => origin.requestedPaths.includes('/first.js'));
        expect(performance.now() - soldMs).to.be.below(2_000);
      } finally {
        await usual.close();
      }
    });

    it('loads markup once, however many demand sources bring it', async () => {
      const markup = `<script src="${origin.url('/shared.js')}"></script>`;
      origin.answer('/shared.js', file(Buffer.from('top.location = "https://prize.test/"'), 'text/javascript'));
      const first = await scanner.scanned(await scanner.see({ markup }));
      const second = await scanner.scanned(await scanner.see({ markup, dspId: 'another' }));
      expect(second.scan.findings).to.deep.equal(first.scan.findings);
      expect(second.scan.status).to.equal('flagged');
      expect(origin.requestedPaths.filter((path) => path === '/shared.js')).to.have.length(1);
      // Of other advertisers' bids the landing page says something else.
      await scanner.scanned(await scanner.see({ markup, advertiserDomains: ['brand.example'] }));
      expect(origin.requestedPaths.filter((path) => path === '/shared.js')).to.have.length(2);
    });

    it('does not wait for a demand source whose servers never answer', async () => {
      origin.answer('/never.js', () => undefined);
      const slow: string[] = [];
      for (let at = 0; at < 8; at++) {
        const markup = `<p>${at}</p><script src="${origin.url('/never.js')}"></script>`;
        slow.push(await scanner.see({ markup, dspId: 'slow' }));
      }
      await eventually('the slow ones are under way', () => origin.requestedPaths.includes('/never.js'));
      const state = await scanner.scanned(await scanner.see({ markup: '<b>An ad</b>', dspId: 'quick' }));
      expect(state.scan.status).to.equal('clean');
      for (const id of slow) expect((await scanner.stateOf(id))?.scan.status).to.equal('pending');
    });

    it('is done again by age', async function () {
      const soon = await startRunningScanner(this, { rescanMs: 1_000 });
      try {
        const id = await soon.see({ markup: '<b>An ad that is seen again</b>' });
        const { scan } = await soon.scanned(id);
        await eventually('it is scanned again', async () => (await soon.stateOf(id))!.scan.scannedAt > scan.scannedAt);
      } finally {
        await soon.close();
      }
    });
  });

  describe('on the open Internet', () => {
    let scanner: RunningScanner;
    before(async function () {
      scanner = await startRunningScanner(this, {
        allowPrivateNetworks: false,
        ownUrls: ['https://cdn.exchange.test'],
      });
    });
    after(() => scanner?.close());

    const codes = ({ scan }: CreativeState) => scan.findings.map(({ code }) => code);

    it('asks for nothing at private addresses, and names who leads there', async () => {
      const before = origin.requestedPaths.length;
      for (const markup of [
        `<script src="${origin.url('/inner.js')}"></script>`,
        `<iframe src="${origin.urlAt('localhost', '/inner.html')}"></iframe>`,
        '<img src="http://169.254.169.254/latest/meta-data" alt="An ad">',
        `<a href="${origin.url('/admin')}">Go</a>`,
      ]) {
        expect(codes(await scanner.scanned(await scanner.see({ markup }))), markup).to.include('forbidden-address');
      }
      expect(origin.requestedPaths.length).to.equal(before);
    });

    it('reads files that the exchange hosts from its storage, and asks its servers for nothing else', async () => {
      const path = join(scanner.folder, 'own.png');
      await writeFile(path, PNG_300_250);
      const sha256 = createHash('sha256').update(PNG_300_250).digest('hex');
      await scanner.creatives.put(sha256, { path, bytes: PNG_300_250.length, mimeType: 'image/png' });
      const own = `<img src="https://cdn.exchange.test/creative/${sha256}" alt="An ad">`;
      const { scan } = await scanner.scanned(await scanner.see({ markup: own }));
      expect(scan.findings.map(({ code }) => code)).to.deep.equal(['advertiser-unknown']);
      expect(scan.report?.bytes).to.equal(PNG_300_250.length);
      for (const url of [
        'https://cdn.exchange.test/api/creatives',
        `https://cdn.exchange.test.other.test/creative/${sha256}`,
        `https://cdn.exchange.test@other.test/creative/${sha256}`,
      ]) {
        const other = await scanner.scanned(await scanner.see({ markup: `<img src="${url}" alt="An ad">` }));
        expect(codes(other), url).to.include('unreachable');
      }
    });
  });

  describe('with a renderer', () => {
    if (!existsSync(CHROMIUM)) {
      declareSkipped('keeps a screenshot and the hosts that were asked', `no Chromium at ${CHROMIUM} (CHROMIUM)`);
      return;
    }

    it('keeps a screenshot and the hosts that were asked', async function () {
      const scanner = await startRunningScanner(this, { chromium: CHROMIUM });
      try {
        origin.answer('/run.js', file(Buffer.from('document.title = "run"'), 'text/javascript'));
        const code = `const s = document.createElement("script"); s.src = ["http", "://127.0.0.4:${new URL(origin.origin).port}/run", ".js"].join(""); document.body.append(s);`;
        const { scan } = await scanner.scanned(await scanner.see({ markup: `<h1>An ad</h1><script>${code}</script>` }));
        expect(scan.status, JSON.stringify(scan)).to.equal('clean');
        expect(scan.report!.domains).to.include('127.0.0.4');
        expect(origin.requestedPaths).to.include('/run.js');
        const screenshot = await scanner.creatives.open(scan.report!.screenshot!);
        expect(screenshot!.mimeType).to.equal('image/png');
      } finally {
        await scanner.close();
      }
    });

    it('reaches no private address, whatever the creative runs', async function () {
      const scanner = await startRunningScanner(this, { chromium: CHROMIUM, allowPrivateNetworks: false });
      try {
        const before = origin.requestedPaths.length;
        const address = `"http://local" + "host:${new URL(origin.origin).port}/inner"`;
        const code = `fetch(${address}, { mode: "no-cors" }); new Image().src = ${address}; location.hash = "1";`;
        const { scan } = await scanner.scanned(await scanner.see({ markup: `<h1>An ad</h1><script>${code}</script>` }));
        expect(scan.findings.map(({ code }) => code)).to.include('forbidden-address');
        expect(origin.requestedPaths.length).to.equal(before);
      } finally {
        await scanner.close();
      }
    });
  });
});
