import type { TSchema } from 'typebox';
import type { ActorDefinition, AnyActorDefinition } from '../actor/define-actor.ts';
import { SchemaValidator } from '../schema-validator.ts';

/** A definition with its validators. */
export interface Kind {
  readonly definition: AnyActorDefinition;
  readonly lazy: boolean;
  readonly stateValidator: SchemaValidator;
  readonly messageValidators: ReadonlyMap<string, SchemaValidator>;
}

/** A parsed address. */
export interface ActorAddress {
  readonly kind: Kind;
  readonly id: string;
}

/** The kinds of actors that this process knows, and the partitions of their actors. */
export class KindRegistry {
  readonly partitions: number;
  readonly #kinds = new Map<string, Kind>();

  constructor(definitions: readonly AnyActorDefinition[], partitions: number) {
    this.partitions = partitions;
    for (const definition of definitions) {
      if (this.#kinds.has(definition.kind)) throw new Error(`two kinds of actors are named ${definition.kind}`);
      this.#kinds.set(definition.kind, kindOf(definition));
    }
  }

  all(): Iterable<Kind> {
    return this.#kinds.values();
  }

  find(kind: string): Kind | undefined {
    return this.#kinds.get(kind);
  }

  /** Throws when this process does not know the kind. */
  named(kind: string): Kind {
    const found = this.#kinds.get(kind);
    if (!found) throw new Error(`no kind ${kind} is defined`);
    return found;
  }

  /** Undefined when this process does not know the kind. */
  parseAddress(address: string): ActorAddress | undefined {
    const slash = address.indexOf('/');
    const kind = this.#kinds.get(address.slice(0, slash));
    return kind && { kind, id: address.slice(slash + 1) };
  }

  /**
   * The partition that holds messages to `address`. For an unknown kind the hash decides, and the message is parked
   * there.
   */
  partitionOf(address: string): number {
    const target = this.parseAddress(address);
    const chosen = target?.kind.definition.partitionOf?.(target.id, this.partitions);
    return chosen ?? hashAddress(address) % this.partitions;
  }
}

function kindOf(definition: ActorDefinition): Kind {
  return {
    definition,
    lazy: definition.saving === 'lazy',
    stateValidator: validatorOf(definition.state),
    messageValidators: new Map(
      Object.entries(definition.messages).map(([type, schema]) => [type, validatorOf(schema)]),
    ),
  };
}

/** The validator of every schema, for as long as the schema is referenced: nodes in one process share definitions. */
const VALIDATORS = new WeakMap<TSchema, SchemaValidator>();

function validatorOf(schema: TSchema): SchemaValidator {
  const validator = VALIDATORS.get(schema) ?? new SchemaValidator(schema);
  VALIDATORS.set(schema, validator);
  return validator;
}

/** FNV-1a over UTF-16 units with a final mix; it decides where actors live, so it must never change. */
export function hashAddress(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
