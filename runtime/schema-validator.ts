import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

export type SchemaError = ReturnType<Validator['Errors']>[number];

/**
 * Checks values against a schema, which is compiled at the first check: an exchange has hundreds of schemas, and a
 * process that has just started needs only a few.
 */
export class SchemaValidator {
  readonly #schema: TSchema;
  #compiled: Validator | null = null;

  constructor(schema: TSchema) {
    this.#schema = schema;
  }

  check(value: unknown): boolean {
    return this.#validator.Check(value);
  }

  /** The errors of a value; empty when it is valid. */
  errors(value: unknown): SchemaError[] {
    return this.#validator.Errors(value);
  }

  get #validator(): Validator {
    this.#compiled ??= Compile(this.#schema) as unknown as Validator;
    return this.#compiled;
  }
}
