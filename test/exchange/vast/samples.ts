import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VAST_FOLDER } from '../../support/vast-schemas.ts';

/** A VAST document of IAB Tech Lab's, beside the repository. */
export interface VastSample {
  /** `4.0/Inline_Simple.xml` */
  readonly name: string;
  /** Of the folder. */
  readonly version: '2.0' | '3.0' | '4.0';
  readonly text: string;
}

const FOLDER = join(VAST_FOLDER, 'samples');

/** Declares tests over all samples. Where they are missing, one test by name is reported as skipped. */
export function describeSamples(title: string, declare: (samples: readonly VastSample[]) => void): void {
  describe(title, () => {
    if (existsSync(FOLDER)) declare(samples());
    else {
      it(`skipped: the VAST samples are not in ${FOLDER}`, function () {
        this.skip();
      });
    }
  });
}

function samples(): VastSample[] {
  return (['2.0', '3.0', '4.0'] as const).flatMap((version) =>
    readdirSync(join(FOLDER, version))
      .filter((file) => file.endsWith('.xml'))
      .sort()
      .map((file) => ({
        name: `${version}/${file}`,
        version,
        text: readFileSync(join(FOLDER, version, file), 'utf8'),
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
