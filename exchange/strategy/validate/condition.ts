import type { JsonObject } from '../../openrtb/shape.ts';
import { countryOf } from '../countries.ts';
import { entriesOf, numberOf } from '../numbers.ts';
import { type FieldKind, fieldKind } from '../openrtb-fields.ts';
import { versionOf } from '../versions.ts';
import { searchValueFault } from './complexity.ts';
import { join, type StrategyFault } from './fault.ts';

/**
 * The faults of a condition that a schema cannot express: a path that is none, and a value that can never match there.
 */
export function* conditionFaults(condition: JsonObject, path: string): Generator<StrategyFault> {
  const { field, operator, value } = condition;
  const kind = typeof field === 'string' ? fieldKind(field) : null;
  if (typeof field === 'string' && field !== '' && kind === null) {
    yield { path: join(path, 'field'), message: `${field} is no field of an OpenRTB bid request` };
  }
  if (kind === 'object' && operator !== 'exists') {
    yield { path: join(path, 'field'), message: `${field} is an object: name one of its fields` };
  }
  if (typeof operator !== 'string' || typeof value !== 'string') return;
  const fault = valueFault(operator, value, kind);
  if (fault !== null) yield { path: join(path, 'value'), message: fault };
}

function valueFault(operator: string, value: string, kind: FieldKind | null): string | null {
  switch (operator) {
    case 'exists':
      return value === 'true' || value === 'false' ? null : 'must be "true" or "false"';
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (kind === 'version') {
        return versionOf(value) === null ? `must be a version for ${operator}, as in "7.1": the field is one` : null;
      }
      return numberOf(value) === null ? `must be a number for ${operator}, as in "3"` : null;
    case 'eq':
    case 'neq':
      return entryFault(value, kind);
    case 'in':
    case 'not_in': {
      const entries = entriesOf(value);
      if (entries.length === 0) return 'must be a list, its entries separated by commas';
      return entries.map((entry) => entryFault(entry, kind)).find((fault) => fault !== null) ?? null;
    }
    default:
      return value === '' ? 'must not be empty' : searchValueFault(operator, value);
  }
}

function entryFault(entry: string, kind: FieldKind | null): string | null {
  if (kind === 'number' && numberOf(entry) === null) return 'must be a number, as in "3": the field is one';
  if (kind === 'country' && countryOf(entry) === null) return `${entry} is no ISO 3166 country code`;
  return null;
}
