// Compresses the files of a folder that benefit from it into `.br` and `.gz` files beside them, for servers that send
// them unchanged.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const WORTH_IT = /\.(js|css|svg|json)$/;
const LEAST_BYTES = 1024;
/** Of 11; the two higher levels take ten times as long for 2% less. */
const BROTLI_QUALITY = 9;

export async function compressFolder(folder) {
  const files = readdirSync(folder)
    .filter((name) => WORTH_IT.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).size >= LEAST_BYTES);
  await Promise.all(
    files.map(async (path) => {
      const bytes = readFileSync(path);
      const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(bytes, { params }),
        promisify(gzip)(bytes, { level: 9 }),
      ]);
      writeFileSync(`${path}.br`, br);
      writeFileSync(`${path}.gz`, gz);
    }),
  );
}
