import { appendFileSync } from 'node:fs';
import { createRequire, type LoadHook, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';

/**
 * Given to Node by `--import`: writes the URL of each module that the main thread loads into the file that
 * LOADED_MODULES names, one in a line; those in CommonJS when the process exits.
 */
const file = process.env.LOADED_MODULES!;
const HOOKS = '?hooks';

if (isMainThread && !import.meta.url.endsWith(HOOKS)) {
  register(import.meta.url + HOOKS);
  const { cache } = createRequire(import.meta.url);
  process.on('exit', () => {
    for (const path in cache) appendFileSync(file, `${pathToFileURL(path).href}\n`);
  });
}

export const load: LoadHook = (url, context, next) => {
  appendFileSync(file, `${url}\n`);
  return next(url, context);
};
