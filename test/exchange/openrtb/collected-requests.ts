import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** OpenRTB requests collected from public projects lie beside the repository; its README says where from. */
const FOLDER = join(process.cwd(), '../shared/data/openrtb');

export interface CollectedRequest {
  readonly file: string;
  readonly document: unknown;
}

/**
 * Declares tests over one folder of collected requests. Where they are missing, one test by name is reported as skipped.
 */
export function describeCollected(
  kind: 'valid' | 'invalid' | 'traffic',
  declare: (requests: readonly CollectedRequest[]) => void,
): void {
  describe(`requests in ${kind}`, () => {
    const folder = join(FOLDER, kind);
    if (!existsSync(folder)) {
      it(`skipped: the collected requests are not in ${folder}`, function () {
        this.skip();
      });
      return;
    }
    const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
    if (files.length === 0) throw new Error(`${folder} is empty`);
    declare(files.sort().map((file) => ({ file, document: JSON.parse(readFileSync(join(folder, file), 'utf8')) })));
  });
}
