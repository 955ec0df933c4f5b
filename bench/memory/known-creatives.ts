import { startChild } from '../processes/child.ts';
import { OTHER_CORE } from '../processes/cores.ts';
import { megabytes, type Row } from '../row.ts';

const CREATIVES = 100_000;
const MOST_BYTES = 30 * 1024 * 1024;

/** The memory in which an edge knows 100,000 creatives, each with hosted markup. */
export async function knownCreatives(): Promise<Row> {
  const child = startChild<{ bytes: number }>(
    OTHER_CORE,
    'memory/known-creatives-process.js',
    { creatives: CREATIVES },
    ['--expose-gc'],
  );
  try {
    const { bytes } = await child.next();
    return {
      what: `memory of ${CREATIVES.toLocaleString('en-US')} creatives at an edge`,
      figure: megabytes(bytes),
      floor: '',
      ratio: '',
      target: `≤ ${megabytes(MOST_BYTES)}`,
      reached: bytes <= MOST_BYTES,
    };
  } finally {
    await child.stop();
  }
}
