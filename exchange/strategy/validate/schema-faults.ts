import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { join, type StrategyFault } from './fault.ts';
import { requirementText, type SchemaError, withArticle } from './requirement-text.ts';

type SchemaCheck = ReturnType<typeof Compile>;

/** At most 1,000 faults are reported; a document of 3 MiB can have a million. */
export const MAX_FAULTS = 1000;

/**
 * Makes the function that reports where a document does not match a schema, at most 1,000 places. The schema is
 * compiled at the first call.
 */
export function schemaFaults(schema: TSchema): (document: unknown) => StrategyFault[] {
  let compiled: SchemaCheck | null = null;
  return (document) => {
    compiled ??= Compile(schema);
    return compiled.Check(document) ? [] : faultsOf(everyError(compiled, document), document, schema);
  };
}

/**
 * Makes the check report all errors. The library stops after 8 errors by default, and the limit is a global setting.
 */
function everyError(check: SchemaCheck, document: unknown): readonly SchemaError[] {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: 4 * MAX_FAULTS });
  try {
    return check.Errors(document);
  } finally {
    Settings.Set({ maxErrors });
  }
}

/** A value for which a schema has several alternatives, none of which it satisfies. */
interface Choice {
  readonly schemaPath: string;
  readonly instancePath: string;
  /** The types that alternatives of another type than the value's ask for. */
  readonly otherTypes: string[];
  /** The schema paths of those alternatives. */
  readonly otherBranches: Set<string>;
  /** Whether the value has the type of an alternative: only the errors of that alternative are then reported. */
  hasItsType: boolean;
}

function faultsOf(errors: readonly SchemaError[], document: unknown, schema: TSchema): StrategyFault[] {
  const choices = choicesIn(errors);
  /**
   * By path: one fault for each place. An empty text, for example, also breaks the pattern, and one of the two is
   * enough.
   */
  const faults = new Map<string, StrategyFault>();
  const add = (fault: StrategyFault) => void (faults.has(fault.path) || faults.set(fault.path, fault));
  for (const error of errors) {
    const path = pathOf(error.instancePath, document);
    if (error.keyword === 'anyOf') {
      const choice = choices.get(error.instancePath)!;
      const types = [...new Set(choice.otherTypes)].map(withArticle).join(' or ');
      if (!choice.hasItsType) add({ path, message: `must be ${types}` });
      continue;
    }
    const choice = choiceOf(error, choices);
    // Errors of an alternative for another type than the value's are left out.
    if (choice?.otherBranches.has(branchOf(error, choice))) continue;
    const orNull = choice?.instancePath === error.instancePath && choice.otherTypes.includes('null');
    faultsOfError(error, path, schema, orNull).forEach(add);
    if (faults.size >= MAX_FAULTS) break;
  }
  return [...faults.values()].slice(0, MAX_FAULTS);
}

function choicesIn(errors: readonly SchemaError[]): ReadonlyMap<string, Choice> {
  const choices = new Map<string, Choice>();
  for (const { keyword, schemaPath, instancePath } of errors) {
    if (keyword !== 'anyOf') continue;
    const choice = { schemaPath, instancePath, otherTypes: [], otherBranches: new Set<string>(), hasItsType: false };
    choices.set(instancePath, choice);
  }
  for (const error of errors) {
    const choice = choices.get(error.instancePath);
    if (choice === undefined || error.keyword !== 'type' || branchOf(error, choice) !== error.schemaPath) continue;
    choice.otherTypes.push(String(error.params.type));
    choice.otherBranches.add(error.schemaPath);
  }
  for (const error of errors) {
    const choice = error.keyword === 'anyOf' ? undefined : choiceOf(error, choices);
    if (choice !== undefined && !choice.otherBranches.has(branchOf(error, choice))) choice.hasItsType = true;
  }
  return choices;
}

/** The choice that an error is part of: one at its own place, or around it. */
function choiceOf(error: SchemaError, choices: ReadonlyMap<string, Choice>): Choice | undefined {
  for (let pointer = error.instancePath; ; pointer = pointer.slice(0, pointer.lastIndexOf('/'))) {
    const choice = choices.get(pointer);
    if (choice !== undefined && error.schemaPath.startsWith(`${choice.schemaPath}/anyOf/`)) return choice;
    if (pointer === '') return undefined;
  }
}

/** The schema path of the alternative that an error comes from. */
function branchOf({ schemaPath }: SchemaError, choice: Choice): string {
  const end = schemaPath.indexOf('/', `${choice.schemaPath}/anyOf/`.length);
  return end === -1 ? schemaPath : schemaPath.slice(0, end);
}

/** The messages for a missing field, and for a field that the schema does not have. */
export const MISSING = 'is required';
export const UNKNOWN = 'is not a known field';

function faultsOfError(error: SchemaError, path: string, schema: TSchema, orNull: boolean): StrategyFault[] {
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({ path: join(path, name), message: MISSING }));
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({ path: join(path, name), message: UNKNOWN }));
    case 'boolean':
      // This error repeats `additionalProperties`.
      return [];
    default:
      return [{ path, message: `${requirementText(error, schema)}${orNull ? ', or null' : ''}` }];
  }
}

/** Converts a JSON pointer to a path. A step is an index where the document has a list. */
function pathOf(pointer: string, document: unknown): string {
  let path = '';
  let at: unknown = document;
  for (const escaped of pointer.split('/').slice(1)) {
    const step = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    path = join(path, Array.isArray(at) ? Number(step) : step);
    at = typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[step] : undefined;
  }
  return path;
}
