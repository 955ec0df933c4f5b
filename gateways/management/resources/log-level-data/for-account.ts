import Type from 'typebox';
import { defineRoute } from '../../routing/route.ts';
import { DemandSourceParams, loadDemandSource } from '../demand-sources/demand-source.ts';
import { loadSupplySource, SupplySourceParams } from '../supply-sources/supply-source.ts';
import { downloadDescription, FILE_PATH, fileAnswer, fileParams, openLogLevelFile } from './download.ts';
import { HoursQuery, hoursDescription, hoursExample, LogLevelHours, listHours } from './hours.ts';

const SUPPLY_PATH = '/api/supply/sources/:id/log-level-data';
const DEMAND_PATH = '/api/demand/sources/:id/log-level-data';

export const supplySourceLogLevelData = defineRoute({
  method: 'GET',
  path: SUPPLY_PATH,
  tag: 'Supply',
  operationId: 'getSupplySourceLogLevelData',
  summary: 'List the hours and files of log-level data of a supply source',
  description: hoursDescription,
  access: 'account',
  params: SupplySourceParams,
  query: HoursQuery,
  errors: ['SERVICE_UNAVAILABLE'],
  answer: { status: 200, schema: LogLevelHours },
  examples: { answer: hoursExample },
  async handle({ params: { id }, query, caller, parts }) {
    await loadSupplySource(parts, id, caller);
    const { sandboxOnly } = caller.scope;
    return listHours(parts, { side: 'publisher', id, sandboxOnly }, query, SUPPLY_PATH.replace(':id', id));
  },
});

export const supplySourceLogLevelFile = defineRoute({
  method: 'GET',
  path: `${SUPPLY_PATH}${FILE_PATH}`,
  tag: 'Supply',
  operationId: 'getSupplySourceLogLevelFile',
  summary: 'Download a file of log-level data of a supply source',
  description: downloadDescription,
  access: 'account',
  params: Type.Object({ ...SupplySourceParams.properties, ...fileParams }),
  errors: ['SERVICE_UNAVAILABLE'],
  answer: fileAnswer,
  async handle({ params: { id, ...file }, caller, parts }) {
    await loadSupplySource(parts, id, caller);
    const { sandboxOnly } = caller.scope;
    return openLogLevelFile(parts, { side: 'publisher', id, sandboxOnly }, file);
  },
});

export const demandSourceLogLevelData = defineRoute({
  method: 'GET',
  path: DEMAND_PATH,
  tag: 'Demand',
  operationId: 'getDemandSourceLogLevelData',
  summary: 'List the hours and files of log-level data of a demand source',
  description: hoursDescription,
  access: 'account',
  params: DemandSourceParams,
  query: HoursQuery,
  errors: ['SERVICE_UNAVAILABLE'],
  answer: { status: 200, schema: LogLevelHours },
  examples: { answer: hoursExample },
  async handle({ params: { id }, query, caller, parts }) {
    await loadDemandSource(parts, id, caller);
    const { sandboxOnly } = caller.scope;
    return listHours(parts, { side: 'dsp', id, sandboxOnly }, query, DEMAND_PATH.replace(':id', id));
  },
});

export const demandSourceLogLevelFile = defineRoute({
  method: 'GET',
  path: `${DEMAND_PATH}${FILE_PATH}`,
  tag: 'Demand',
  operationId: 'getDemandSourceLogLevelFile',
  summary: 'Download a file of log-level data of a demand source',
  description: downloadDescription,
  access: 'account',
  params: Type.Object({ ...DemandSourceParams.properties, ...fileParams }),
  errors: ['SERVICE_UNAVAILABLE'],
  answer: fileAnswer,
  async handle({ params: { id, ...file }, caller, parts }) {
    await loadDemandSource(parts, id, caller);
    const { sandboxOnly } = caller.scope;
    return openLogLevelFile(parts, { side: 'dsp', id, sandboxOnly }, file);
  },
});
