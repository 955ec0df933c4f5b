import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declareSkipped } from '../../support/skipped-tests.ts';
import { VAST_FOLDER } from '../../support/vast-schemas.ts';

export interface VastSample {
  /** `4.0/Inline_Simple.xml` */
  readonly name: string;
  /** Of the folder. */
  readonly version: '2.0' | '3.0' | '4.0';
  readonly text: string;
}

/** A whole folder of samples. */
interface VastSamples {
  readonly all: readonly VastSample[];
  /** How many there are to be. */
  readonly count: number;
  /** At least so many play in a break: overlays and pods do not. */
  readonly inBreaks: number;
  /** Every sample that is not served, and why. All others are. */
  readonly refused: Readonly<Record<string, 'vpaid-unsupported' | 'vast-version-unsupported'>>;
}

/** IAB Tech Lab's, beside the repository. */
const PUBLISHED = join(VAST_FOLDER, 'samples');
/** Those that were written for the tests. */
const OWN = join(process.cwd(), 'test', 'samples', 'vast');

/**
 * Declares tests over the project's own samples, and over IAB Tech Lab's, which are left out where they are missing.
 */
export function describeSamples(title: string, declare: (samples: VastSamples) => void): void {
  describe(`${title}, in the project’s own samples`, () => {
    const refused = {
      '2.0/vast-1.xml': 'vast-version-unsupported',
      '2.0/vpaid-alone.xml': 'vpaid-unsupported',
    } as const;
    declare({ all: samplesIn(OWN), count: 11, inBreaks: 9, refused });
  });
  describe(`${title}, in IAB Tech Lab’s samples`, () => {
    if (existsSync(PUBLISHED))
      declare({ all: samplesIn(PUBLISHED), count: 39, inBreaks: 24, refused: PUBLISHED_AND_REFUSED });
    else declareSkipped('every sample', `IAB Tech Lab’s VAST samples are not there (${PUBLISHED})`);
  });
}

const PUBLISHED_AND_REFUSED = {
  '2.0/Inline_LinearVAST2vpaid.xml': 'vpaid-unsupported',
  '2.0/vast1Nonlinear.xml': 'vast-version-unsupported',
  '2.0/vast1RegularLinear.xml': 'vast-version-unsupported',
  '2.0/vast1VPAIDLinear.xml': 'vast-version-unsupported',
  '2.0/vast2Nonlinear.xml': 'vpaid-unsupported',
  '2.0/vast2VPAIDLinear.xml': 'vpaid-unsupported',
} as const;

function samplesIn(root: string): VastSample[] {
  return (['2.0', '3.0', '4.0'] as const).flatMap((version) =>
    readdirSync(join(root, version))
      .filter((file) => file.endsWith('.xml'))
      .sort()
      .map((file) => ({
        name: `${version}/${file}`,
        version,
        text: readFileSync(join(root, version, file), 'utf8'),
      })),
  );
}

/** Named by wrappers, but never published. */
const STAND_INS: Readonly<Record<string, string>> = {
  'vast_inline_nonlinear2.xml': 'vast_inline_nonlinear.xml',
  'vast_inline_nonlinear3.xml': 'vast_inline_nonlinear.xml',
};

/** The sample that a wrapper among them leads to, by its file's name. */
export function sampleAt(adTagUri: string, from: VastSample, all: readonly VastSample[]): VastSample {
  const file = decodeURIComponent(adTagUri.slice(adTagUri.lastIndexOf('/') + 1));
  const name = `${from.version}/${STAND_INS[file] ?? file}`;
  const found = all.find((sample) => sample.name === name);
  if (!found) throw new Error(`${from.name} leads to ${name}, which is no sample`);
  return found;
}
