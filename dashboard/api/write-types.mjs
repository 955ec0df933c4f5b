// Writes the types of the dashboard's calls and those of the client's, generated.d.ts, out of the API's own
// description: what the built routes declare. Usage: node dashboard/api/write-types.mjs, after a build
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import openapiTs, { astToString } from 'openapi-typescript';

const targets = ['generated.d.ts', '../../client/generated.d.ts'].map((path) => new URL(path, import.meta.url));
const built = (path) => import(new URL(`../../dist/gateways/management/${path}`, import.meta.url).href);
const { describeApi } = await built('openapi/describe-api.js');
const { routes } = await built('routes.js');
const { defaultManagementSettings } = await built('settings.js');

const document = JSON.parse(JSON.stringify(describeApi(routes, defaultManagementSettings)));
const text = `// Written by dashboard/api/write-types.mjs.\n${astToString(await openapiTs(document, { defaultNonNullable: false }))}`;
for (const target of targets) {
  if (!existsSync(target) || readFileSync(target, 'utf8') !== text) writeFileSync(target, text);
}
