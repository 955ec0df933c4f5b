// Draws the flame graph of a CPU profile of Node (`--cpu-prof`) as an SVG that needs no script: widths are shares of
// the time on the processor, without the loading of modules; frames below the least share are left out. Usage: node
// scripts/flame-graph.mjs profile.cpuprofile graph.svg [title] [least share in percent=0.4]
import { readFileSync, writeFileSync } from 'node:fs';

const [input, output, title = 'CPU', least = '0.4'] = process.argv.slice(2);
if (output === undefined) throw new Error('Usage: node scripts/flame-graph.mjs profile.cpuprofile graph.svg [title]');

const WIDTH = 1_200;
const ROW = 16;
const TOP = 32;
/** Frames of Node that load modules: work of the start. */
const LOADS = /^node:internal\/(?:modules|bootstrap)\//;

const profile = JSON.parse(readFileSync(input, 'utf8'));
const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
const micros = new Map();
for (const [index, id] of profile.samples.entries()) {
  micros.set(id, (micros.get(id) ?? 0) + profile.timeDeltas[index]);
}

/** The tree of calls, with the calls of one function by another joined. */
function callsOf(ids) {
  const calls = new Map();
  for (const id of ids) {
    const { callFrame, children = [] } = nodes.get(id);
    const { functionName, url } = callFrame;
    if (functionName === '(idle)' || LOADS.test(url)) continue;
    const name = nameOf(callFrame);
    const call = calls.get(name) ?? { name, own: 0, below: [] };
    call.own += micros.get(id) ?? 0;
    call.below.push(...children);
    calls.set(name, call);
  }
  return [...calls.values()]
    .map(({ name, own, below }) => {
      const inner = callsOf(below);
      return { name, inner, total: inner.reduce((sum, { total }) => sum + total, own) };
    })
    .sort((a, b) => b.total - a.total);
}

function nameOf({ functionName, url, lineNumber }) {
  const file = url.replace(/^file:\/\//, '').replace(/^.*\/(?:dist|node_modules)\//, '');
  return `${functionName || '(anonymous)'}${file === '' ? '' : ` ${file}:${lineNumber + 1}`}`;
}

const [root] = callsOf([profile.nodes[0].id]);
const boxes = [];
let deepest = 0;
function place(call, x, depth) {
  const width = (call.total / root.total) * WIDTH;
  if ((width / WIDTH) * 100 < Number(least)) return;
  deepest = Math.max(deepest, depth);
  boxes.push({ ...call, x, width, depth });
  let at = x;
  for (const inner of call.inner) {
    place(inner, at, depth + 1);
    at += (inner.total / root.total) * WIDTH;
  }
}
place(root, 0, 0);

const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** By where the code is: the exchange's own is orange, packages yellow, Node grey, what has no source red. */
function colourOf(name) {
  if (/ node:/.test(name)) return '#c8c8c8';
  if (/ (?:koa|undici|lmdb|@|[\w-]+\/(?:lib|dist|index))/.test(name)) return '#f0dc82';
  return / /.test(name) ? '#f4a460' : '#e9967a';
}

const shapes = boxes.map(({ name, total, x, width, depth }) => {
  const share = `${((100 * total) / root.total).toFixed(1)}%`;
  const y = TOP + (deepest - depth) * ROW;
  const room = Math.floor((width - 4) / 6.1);
  const label = room < 4 ? '' : escaped(name.length > room ? `${name.slice(0, room - 1)}…` : name);
  const box = `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colourOf(name)}"/>`;
  const text = label === '' ? '' : `<text x="${(x + 2).toFixed(1)}" y="${y + 11}">${label}</text>`;
  return `<g><title>${escaped(name)}, ${share}</title>${box}${text}</g>`;
});
const height = TOP + (deepest + 1) * ROW + 4;
writeFileSync(
  output,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="10">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" fill="white"/>
<text x="4" y="18" font-size="13">${escaped(title)}</text>
${shapes.join('\n')}
</svg>
`,
);
