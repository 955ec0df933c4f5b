import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { join, type StrategyFault } from './fault.ts';
import { requirementText, type SchemaError, withArticle } from './requirement-text.ts';

type SchemaCheck = ReturnType<typeof Compile>;

/** Nobody reads more; a document of 3 MiB can be wrong in a million places. */
export const MAX_FAULTS = 1000;

/** Every place at which a document is not what its schema says; the first thousand of them. Compiled when it is first asked. */
export function schemaFaults(schema: TSchema): (document: unknown) => StrategyFault[] {
  let compiled: SchemaCheck | null = null;
  return (document) => {
    compiled ??= Compile(schema);
    return compiled.Check(document) ? [] : faultsOf(everyError(compiled, document), document, schema);
  };
}

/** The library stops after eight errors unless told otherwise, and can only be told for everybody at once. */
function everyError(check: SchemaCheck, document: unknown): readonly SchemaError[] {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: 4 * MAX_FAULTS });
  try {
    return check.Errors(document);
  } finally {
    Settings.Set({ maxErrors });
  }
}

/** A value for which a schema has several alternatives, and none that it satisfies. */
interface Choice {
  readonly schemaPath: string;
  readonly instancePath: string;
  /** What the alternatives of another type than the value's ask for. */
  readonly otherTypes: string[];
  /** The schema paths of those alternatives. */
  readonly otherBranches: Set<string>;
  /** Whether the value has the type of one of them: then that one speaks. */
  hasItsType: boolean;
}

function faultsOf(errors: readonly SchemaError[], document: unknown, schema: TSchema): StrategyFault[] {
  const choices = choicesIn(errors);
  /** By path: a text that is empty has not the right form either, and one of the two is enough. */
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
    // What one alternative says of a value of another's type is beside the point.
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

/** The choice that an error is part of: at its own place, or around it. */
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

/** What a fault says of a field that is missing, and of one that there is not. */
export const MISSING = 'is required';
export const UNKNOWN = 'is not a known field';

function faultsOfError(error: SchemaError, path: string, schema: TSchema, orNull: boolean): StrategyFault[] {
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({ path: join(path, name), message: MISSING }));
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({ path: join(path, name), message: UNKNOWN }));
    case 'boolean':
      // The other half of `additionalProperties`.
      return [];
    default:
      return [{ path, message: `${requirementText(error, schema)}${orNull ? ', or null' : ''}` }];
  }
}

/** From a JSON pointer; a step is an index where the document has a list. */
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
