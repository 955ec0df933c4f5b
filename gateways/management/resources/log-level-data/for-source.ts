import Type from 'typebox';
import { defineRoute } from '../../routing/route.ts';
import { loadOwnSource } from '../source-reports/own-source.ts';
import { downloadDescription, FILE_PATH, fileAnswer, fileParams, openLogLevelFile } from './download.ts';
import { HoursQuery, hoursDescription, hoursExample, LogLevelHours, listHours } from './hours.ts';

const PUBLISHER_PATH = '/api/source/log-level-data';
const DSP_PATH = '/api/demand/log-level-data';

export const publisherLogLevelData = defineRoute({
  method: 'GET',
  path: PUBLISHER_PATH,
  tag: 'Source reports',
  operationId: 'getSourceLogLevelData',
  summary: "List the hours and files of log-level data of the key's publisher",
  description: hoursDescription,
  access: 'publisher-key',
  query: HoursQuery,
  errors: ['SERVICE_UNAVAILABLE'],
  answer: { status: 200, schema: LogLevelHours },
  examples: { answer: hoursExample },
  async handle({ query, source, parts }) {
    await loadOwnSource(parts, source);
    return listHours(parts, { side: 'publisher', id: source.id, sandboxOnly: false }, query, PUBLISHER_PATH);
  },
});

export const publisherLogLevelFile = defineRoute({
  method: 'GET',
  path: `${PUBLISHER_PATH}${FILE_PATH}`,
  tag: 'Source reports',
  operationId: 'getSourceLogLevelFile',
  summary: "Download a file of log-level data of the key's publisher",
  description: downloadDescription,
  access: 'publisher-key',
  params: Type.Object(fileParams),
  errors: ['SERVICE_UNAVAILABLE'],
  answer: fileAnswer,
  async handle({ params, source, parts }) {
    await loadOwnSource(parts, source);
    return openLogLevelFile(parts, { side: 'publisher', id: source.id, sandboxOnly: false }, params);
  },
});

export const dspLogLevelData = defineRoute({
  method: 'GET',
  path: DSP_PATH,
  tag: 'Source reports',
  operationId: 'getDemandLogLevelData',
  summary: "List the hours and files of log-level data of the key's demand source",
  description: hoursDescription,
  access: 'dsp-key',
  query: HoursQuery,
  errors: ['SERVICE_UNAVAILABLE'],
  answer: { status: 200, schema: LogLevelHours },
  examples: { answer: hoursExample },
  async handle({ query, source, parts }) {
    await loadOwnSource(parts, source);
    return listHours(parts, { side: 'dsp', id: source.id, sandboxOnly: false }, query, DSP_PATH);
  },
});

export const dspLogLevelFile = defineRoute({
  method: 'GET',
  path: `${DSP_PATH}${FILE_PATH}`,
  tag: 'Source reports',
  operationId: 'getDemandLogLevelFile',
  summary: "Download a file of log-level data of the key's demand source",
  description: downloadDescription,
  access: 'dsp-key',
  params: Type.Object(fileParams),
  errors: ['SERVICE_UNAVAILABLE'],
  answer: fileAnswer,
  async handle({ params, source, parts }) {
    await loadOwnSource(parts, source);
    return openLogLevelFile(parts, { side: 'dsp', id: source.id, sandboxOnly: false }, params);
  },
});
