/** Hosts that serve scripts which mine coins on their visitors' machines, or that such scripts report to. */
const HOSTS = [
  'authedmine.com',
  'cnhv.co',
  'coin-hive.com',
  'coinerra.com',
  'coinhave.com',
  'coinhive.com',
  'coinimp.com',
  'crypto-loot.com',
  'cryptoloot.pro',
  'cryptonoter.com',
  'hashing.win',
  'jsecoin.com',
  'minemytraffic.com',
  'minero.cc',
  'minr.pw',
  'monerominer.rocks',
  'monerise.com',
  'ppoi.org',
  'projectpoi.com',
  'reasedoper.pw',
  'webmine.cz',
  'webminepool.com',
  'webminerpool.com',
  'xmrpool.net',
];

/** Names that only such scripts have. */
const NAMES = [
  'coinhive.anonymous',
  'coinhive.user',
  'coinhive.token',
  'cryptoloot.anonymous',
  'crltanonymous',
  'deepminer.anonymous',
  'deepminer.init',
  'cryptonight',
  'cryptonote',
  'stratum+tcp',
  'stratum+ssl',
  'startminingwithid',
  'webminepool.anonymous',
];

/** Words that say what WebAssembly is for in a script that compiles some. */
const WORDS_OF_WASM = ['stratum', 'randomx', 'hashespersecond', 'hashrate', 'monero', 'cn/r', 'nicehash', 'xmrig'];

/** What tells of mining in a script or a URL; null where nothing does. */
export function miningSign(text: string): string | null {
  const lower = text.toLowerCase();
  const known = HOSTS.find((host) => lower.includes(host)) ?? NAMES.find((name) => lower.includes(name));
  if (known !== undefined) return known;
  if (!lower.includes('webassembly')) return null;
  const word = WORDS_OF_WASM.find((one) => lower.includes(one));
  return word === undefined ? null : `WebAssembly with "${word}"`;
}
