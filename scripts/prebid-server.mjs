// Tries the adapter of integrations/prebid-server with Prebid Server's own framework for adapters: its JSON cases, the
// schema of its parameters and its description. Needs Go.
//   node scripts/prebid-server.mjs            with the release that go.mod names, from the module proxy
//   node scripts/prebid-server.mjs <folder>   with the sources of Prebid Server in that folder
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const MODULE = 'github.com/prebid/prebid-server/v4';
const [sources = process.env.PREBID_SERVER_SOURCES] = process.argv.slice(2);

// A copy, because Go may complete go.mod and go.sum.
const folder = mkdtempSync(join(tmpdir(), 'prebid-server-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
cpSync('integrations/prebid-server', folder, { recursive: true });

function go(args, stdio) {
  const ran = spawnSync('go', args, {
    cwd: folder,
    stdio,
    encoding: 'utf8',
    env: { ...process.env, GOFLAGS: '-mod=mod' },
  });
  if (ran.error) {
    console.error('Go is needed: https://go.dev/dl/');
    process.exit(1);
  }
  return ran;
}

if (sources !== undefined) go(['mod', 'edit', `-replace=${MODULE}=${resolve(sources)}`], 'inherit');
else if (go(['mod', 'download', MODULE], 'pipe').status !== 0) {
  console.log(`Left out: the module proxy does not serve ${MODULE}. Name a folder with its sources.`);
  process.exit(0);
}
process.exit(go(['test', './...'], 'inherit').status ?? 1);
