// biome-ignore-all lint/suspicious/noTemplateCurlyInString: an OpenRTB macro
/** Texts of at most so many characters; longer texts are refused unread. */
const LONGEST = 131_072;
const MOST_CHANGES = 8;

/** What parsers trip over: ends, brackets, escapes, halves of characters, numbers at the edge. */
const TOKENS = [
  ...'{}[]<>"\'\\/&?#=;:,.%$!-_~ \t\r\n\0\u2028\ufeff\ud800\udfffé𝔘aA09',
  ...[
    '__proto__',
    'constructor',
    'null',
    'true',
    '-0',
    '1e999',
    '9007199254740993',
    '""',
    '[[',
    '{"',
    '<!--',
    '-->',
    ']]>',
    '<![CDATA[',
  ],
  ...[
    '<?xml ',
    '<!DOCTYPE',
    '&amp;',
    '&#0;',
    '<script ',
    ' src=',
    'http://',
    'xmlns:',
    '%00',
    '%C3',
    '%24%7B',
    '${AUCTION_ID}',
    '~',
    '0.0.0.0',
  ],
];
const VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  1e308,
  '',
  'x',
  '\ud800',
  [],
  {},
  [[]],
  { a: {} },
  'https://a.test/',
  'USD',
  '1',
];

/** Uniform in [0, 1), the same for the same seed and number (mulberry32). */
export function randomOf(seed: number, number: number): () => number {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One of the samples, changed: as a document where it is JSON, half of the time, and as a text. */
export function mutated(samples: readonly string[], random: () => number): string {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  let text = one(samples);
  if (random() < 0.5 && /^[{[]/.test(text)) {
    const document = JSON.parse(text);
    for (let changes = 1 + Math.floor(random() * MOST_CHANGES); changes > 0; changes--) changeOne(document, random);
    text = JSON.stringify(document);
    if (random() < 0.7) return text.slice(0, LONGEST);
  }
  for (let changes = Math.floor(random() * MOST_CHANGES); changes > 0 && text.length <= LONGEST; changes--) {
    const from = Math.floor(random() * (text.length + 1));
    const until = from + Math.floor(random() ** 3 * (text.length - from));
    const [before, part, after] = [text.slice(0, from), text.slice(from, until), text.slice(until)];
    const kind = random();
    if (kind < 0.3) text = before + one(TOKENS) + after;
    else if (kind < 0.45) text = before + after;
    else if (kind < 0.6) text = before + part + part + after;
    else if (kind < 0.7) text = before + String.fromCharCode(Math.floor(random() * 256)) + after;
    else if (kind < 0.8) text = before + one(samples).slice(Math.floor(random() * 50)) + after;
    else {
      const repeated = random() < 0.5 ? one(TOKENS) : part.slice(0, 40);
      text = before + repeated.repeat(Math.floor((random() ** 4 * LONGEST) / Math.max(1, repeated.length))) + after;
    }
  }
  return text.slice(0, LONGEST);
}

/**
 * Walks down to some place and puts something else there; a list may become long, a text too, and a value nest deep.
 */
function changeOne(document: unknown, random: () => number): void {
  let at = document as Record<string, unknown>;
  // What was made long may not be made long again by being repeated.
  const isLong = JSON.stringify(document).length > LONGEST / 64;
  for (;;) {
    const keys = Object.keys(at);
    const key = keys[Math.floor(random() * keys.length)];
    if (key === undefined) return;
    const below = at[key];
    if (typeof below === 'object' && below !== null && random() < 0.8) {
      at = below as Record<string, unknown>;
      continue;
    }
    const kind = random();
    if (kind < 0.15) delete at[key];
    else if (kind < 0.3 && Array.isArray(below) && !isLong)
      at[key] = Array(Math.floor(random() * 300))
        .fill(null)
        .map(() => structuredClone(below[0]));
    else if (kind < 0.4)
      at[key] = String(below)
        .slice(0, 40)
        .repeat(Math.floor(random() ** 3 * 2_000));
    else if (kind < 0.5) at[key] = nested(Math.floor(random() * 200));
    else if (kind < 0.6 && !isLong) at[`${key}${random()}`] = structuredClone(below);
    else at[key] = structuredClone(VALUES[Math.floor(random() * VALUES.length)]);
    return;
  }
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
