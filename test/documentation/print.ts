import { writeFile } from 'node:fs/promises';
import { strategyReference } from './strategy-reference.ts';

/** `npm run reference`: writes docs/strategy.md, in the folder it is run in. */
await writeFile('docs/strategy.md', strategyReference());
