import { writeFile } from 'node:fs/promises';
import { dashboardFiles } from '../deploy/grafana/dashboards.ts';
import { commandLinePage } from './command-line-page.ts';
import { dspPage } from './dsp-page.ts';
import { environmentExample } from './environment-example.ts';
import { metricsPage } from './metrics-page.ts';
import { overviewPicture } from './overview-picture.ts';
import { errorsPage } from './reference/errors-page.ts';
import { lossReasonsPage } from './reference/loss-reasons-page.ts';
import { openrtbPage } from './reference/openrtb-page.ts';
import { settingsPage } from './settings-page.ts';
import { strategyReference } from './strategy-reference.ts';

/** `npm run reference`: writes what is made of declarations, in the folder it is run in. */
await writeFile('docs/strategy.md', strategyReference());
await writeFile('docs/dsp.md', dspPage());
await writeFile('docs/settings.md', settingsPage());
await writeFile('docs/metrics.md', await metricsPage());
await writeFile('docs/command-line.md', commandLinePage());
await writeFile('docs/reference/openrtb.md', openrtbPage());
await writeFile('docs/reference/loss-reasons.md', lossReasonsPage());
await writeFile('docs/reference/errors.md', errorsPage());
await writeFile('docs/images/overview.svg', overviewPicture());
await writeFile('.env.example', environmentExample());
for (const [path, text] of dashboardFiles()) await writeFile(path, text);
