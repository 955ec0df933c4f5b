/** The source of docs/images/overview.svg: `npm run reference` draws it. Lengths are pixels of the picture. */

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly lines: readonly string[];
  readonly colour: keyof typeof COLOURS;
}

type Point = readonly [x: number, y: number];

interface Arrow {
  readonly from: Point;
  readonly to: Point;
  readonly label?: string;
  /** Where the label's middle is. */
  readonly at?: Point;
  readonly both?: true;
}

/** Fill and stroke. */
const COLOURS = {
  outside: ['#f5f7fa', '#8a94a6'],
  core: ['#e6f0ff', '#2f6fde'],
  books: ['#e9f7ef', '#2a8f5b'],
} as const;

const WIDTH = 960;
const HEIGHT = 400;

const BOXES: readonly Box[] = [
  {
    x: 30,
    y: 50,
    width: 190,
    height: 92,
    colour: 'outside',
    title: 'Publishers',
    lines: ['pages, apps, players', 'OpenRTB, VAST, tag.js'],
  },
  {
    x: 365,
    y: 40,
    width: 230,
    height: 112,
    colour: 'core',
    title: 'Edge',
    lines: ['holds the auction', 'serves the winner', 'counts the impression once'],
  },
  {
    x: 740,
    y: 30,
    width: 190,
    height: 62,
    colour: 'outside',
    title: 'DSPs',
    lines: ['bid by OpenRTB 2.5, 2.6'],
  },
  {
    x: 740,
    y: 112,
    width: 190,
    height: 62,
    colour: 'outside',
    title: 'Buyers',
    lines: ['campaigns kept here'],
  },
  {
    x: 365,
    y: 258,
    width: 230,
    height: 92,
    colour: 'books',
    title: 'Actors and ledgers',
    lines: ['budgets, pacing, fees', 'statements to the nano-dollar'],
  },
  {
    x: 30,
    y: 258,
    width: 190,
    height: 92,
    colour: 'outside',
    title: 'Operators',
    lines: ['management API', 'metrics, jobs, audit'],
  },
  {
    x: 740,
    y: 258,
    width: 190,
    height: 92,
    colour: 'books',
    title: 'Reports',
    lines: ['billing, funnels, reasons', 'webhooks, live metrics'],
  },
];

const ARROWS: readonly Arrow[] = [
  { from: [220, 80], to: [365, 80], label: 'ad request', at: [292, 70] },
  { from: [365, 116], to: [220, 116], label: 'the winner’s ad', at: [292, 136] },
  { from: [595, 72], to: [740, 61], label: '150 ms', at: [667, 54], both: true },
  { from: [595, 116], to: [740, 143], label: 'bids made here', at: [650, 154], both: true },
  { from: [480, 152], to: [480, 258], label: 'what happened, durable', at: [566, 209] },
  { from: [400, 258], to: [400, 152], label: 'budgets, settings', at: [334, 209] },
  { from: [220, 304], to: [365, 304], both: true },
  { from: [595, 304], to: [740, 304] },
];

/** docs/images/overview.svg. */
export function overviewPicture(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title"
  font-family="-apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif" text-anchor="middle">
  <!-- Drawn by test/documentation/overview-picture.ts: change that, then \`npm run reference\`. -->
  <title id="title">Publishers ask an edge for ads; it holds an auction among DSPs and buyers’ campaigns; actors keep the books.</title>
  <defs>
    <marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">
      <path d="M0 0 8 4 0 8z" fill="#4a5568"/>
    </marker>
  </defs>
  <rect width="${WIDTH}" height="${HEIGHT}" rx="12" fill="#ffffff"/>
${[...ARROWS.map(drawArrow), ...BOXES.map(drawBox)].join('\n')}
</svg>
`;
}

function drawBox({ x, y, width, height, title, lines, colour }: Box): string {
  const [fill, stroke] = COLOURS[colour];
  const middle = x + width / 2;
  const first = y + height / 2 - lines.length * 10 + 5;
  const texts = lines.map(
    (line, index) =>
      `  <text x="${middle}" y="${first + 22 + index * 20}" font-size="14" fill="#4a5568">${line}</text>`,
  );
  return [
    `  <rect x="${x}" y="${y}" width="${width}" height="${height}" rx="10" fill="${fill}" stroke="${stroke}" stroke-width="1.5"/>`,
    `  <text x="${middle}" y="${first}" font-size="17" font-weight="600" fill="#1a202c">${title}</text>`,
    ...texts,
  ].join('\n');
}

function drawArrow({ from, to, label, at, both }: Arrow): string {
  const start = both === true ? ' marker-start="url(#head)"' : '';
  const line = `  <path d="M${from.join(' ')} ${to.join(' ')}" fill="none" stroke="#4a5568" stroke-width="1.5" marker-end="url(#head)"${start}/>`;
  if (label === undefined || at === undefined) return line;
  return `${line}\n  <text x="${at[0]}" y="${at[1]}" font-size="13" fill="#4a5568">${label}</text>`;
}
