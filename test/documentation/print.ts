import { writeFile } from 'node:fs/promises';
import { environmentExample } from './environment-example.ts';
import { settingsPage } from './settings-page.ts';
import { strategyReference } from './strategy-reference.ts';

/** `npm run reference`: writes what is made of declarations, in the folder it is run in. */
await writeFile('docs/strategy.md', strategyReference());
await writeFile('docs/settings.md', settingsPage());
await writeFile('.env.example', environmentExample());
