// Puts the bid adapter into a Prebid.js: the npm package, from which pages are bundled, or a checkout, which gulp
// builds. node install.mjs path/to/node_modules/prebid.js then: import 'prebid.js/modules/adexchangeBidAdapter' node
// install.mjs path/to/Prebid.js then: gulp build --modules=adexchangeBidAdapter,… An install of the package removes it
// again, so let the page's project do this in its `postinstall`.
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MODULE = 'adexchangeBidAdapter';
const here = import.meta.dirname;

/** Throws if `prebid` is no folder of Prebid.js. */
export function install(prebid) {
  const built = join(prebid, 'dist', 'src');
  const isPackage = existsSync(join(built, 'public'));
  if (!isPackage && !existsSync(join(prebid, 'modules'))) throw new Error(`${prebid} is no folder of Prebid.js`);
  const modules = join(isPackage ? built : prebid, 'modules');
  for (const ending of ['js', 'd.ts'])
    copyFileSync(join(here, `${MODULE}.${ending}`), join(modules, `${MODULE}.${ending}`));
  if (isPackage) {
    writeFileSync(join(built, 'public', `${MODULE}.js`), `import '../modules/${MODULE}.js';\n`);
    writeFileSync(join(built, 'public', `${MODULE}.d.ts`), `export type * from '../modules/${MODULE}.d.ts';\n`);
    return;
  }
  copyFileSync(join(here, `${MODULE}.md`), join(modules, `${MODULE}.md`));
  copyFileSync(join(here, `${MODULE}_spec.js`), join(prebid, 'test', 'spec', 'modules', `${MODULE}_spec.js`));
}

if (process.argv[1] === import.meta.filename) {
  const [prebid] = process.argv.slice(2);
  if (prebid === undefined) {
    console.error('usage: node install.mjs <folder of Prebid.js>');
    process.exitCode = 2;
  } else install(prebid);
}
