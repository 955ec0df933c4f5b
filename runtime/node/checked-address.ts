import type { AnyActorDefinition } from '../actor/define-actor.ts';
import { Rejected } from '../actor/errors.ts';
import type { KindRegistry } from './kind-registry.ts';

/** Validates a message against its kind and returns the address. Throws `Rejected`. */
export function checkedAddress(
  kinds: KindRegistry,
  definition: Pick<AnyActorDefinition, 'kind'>,
  id: string,
  type: string,
  body: unknown,
): string {
  const kind = kinds.find(definition.kind);
  if (!kind) throw new Error(`no kind ${definition.kind} is defined in this process`);
  const validator = kind.messageValidators.get(type);
  if (!validator) throw new Error(`${definition.kind} knows no message ${type}`);
  if (!validator.check(body)) {
    const [first] = validator.errors(body);
    const message = `${type} to ${definition.kind}: ${first?.instancePath || '/'} ${first?.message}`;
    throw new Rejected('VALIDATION_ERROR', message, { field: first?.instancePath.slice(1).replaceAll('/', '.') });
  }
  return `${definition.kind}/${id}`;
}
