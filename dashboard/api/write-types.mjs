// Writes the types of the dashboard's calls, api/generated.d.ts, out of the API's own description: what the built routes declare.
// Usage: node dashboard/api/write-types.mjs, after a build
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import openapiTs, { astToString } from 'openapi-typescript';

const target = new URL('generated.d.ts', import.meta.url);
const built = (path) => import(new URL(`../../dist/gateways/management/${path}`, import.meta.url).href);
const { describeApi } = await built('openapi/describe-api.js');
const { routes } = await built('routes.js');
const { defaultManagementSettings } = await built('settings.js');

const document = JSON.parse(JSON.stringify(describeApi(routes, defaultManagementSettings)));
const text = `// Written by api/write-types.mjs.\n${astToString(await openapiTs(document, { defaultNonNullable: false }))}`;
if (!existsSync(target) || readFileSync(target, 'utf8') !== text) writeFileSync(target, text);
