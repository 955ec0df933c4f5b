import type { CommandDefinition, OptionDefinition } from '../definition.ts';
import type { Field, Operation } from './operation.ts';

const LIMIT: OptionDefinition = { flags: '--limit <n>', description: 'so many entries at most', number: true };
const DATA: OptionDefinition = {
  flags: '--data <json>',
  description: 'the whole body, or more fields of it: JSON, @file, or - for standard input; options count first',
};
export const CSV: OptionDefinition = {
  flags: '--csv',
  description: 'a table for spreadsheets (RFC 4180); --json has it in one text',
};
const FIELD: OptionDefinition = {
  flags: '--field <path>',
  description: 'only the value of this field, a line for each entry: id',
};

/** A text field of a body or a query. */
export function text(flags: string, field: string, description: string): Field {
  return { field, option: { flags, description } };
}

export function number(flags: string, field: string, description: string): Field {
  return { field, option: { flags, description, number: true } };
}

export function list(flags: string, field: string, description: string): Field {
  return { field, option: { flags, description: `${description}; may be given many times`, many: true } };
}

/** One of some words. */
export function word(flags: string, field: string, choices: readonly string[], description: string): Field {
  return { field, option: { flags, description, choices } };
}

/** How far back figures go. */
export const PERIOD = word('--period <period>', 'period', ['1h', '6h', 'today', '24h', '7d', '30d'], 'how far back');

/** The command of an operation, with it. */
export interface OperationCommand extends CommandDefinition {
  readonly operation: Operation;
}

/** The command that makes a call. */
export function commandOf(operation: Operation): OperationCommand {
  const { name, summary, parameters = [], query = [], body, columns, asUser = false, examples } = operation;
  const options = [...query, ...(body ?? [])].map(({ option }) => option);
  return {
    operation,
    name,
    summary,
    ...(examples && { examples }),
    ...(asUser && { description: `${summary}. As a user: EXCHANGE_EMAIL and EXCHANGE_PASSWORD.` }),
    arguments: parameters.map((parameter) => ({
      name: parameter.optional ? `[${parameter.name}]` : `<${parameter.name}>`,
      description: parameter.description,
    })),
    options: [
      ...options,
      ...(body === undefined ? [] : [DATA]),
      ...(columns === undefined ? [] : [LIMIT]),
      ...(operation.csv ? [CSV] : []),
      FIELD,
    ],
    callsApi: true,
    load: () => import('./run-operation.ts').then(({ runOperation }) => ({ run: runOperation(operation) })),
  };
}
