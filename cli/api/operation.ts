import type { Example, OptionDefinition } from '../definition.ts';

/** A field of a body or a parameter of a query, and the option that it is given by. */
export interface Field {
  readonly field: string;
  readonly option: OptionDefinition;
}

/** A call of the management API as a command. Names of paths, fields and columns are those of its description. */
export interface Operation {
  readonly name: string;
  readonly summary: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  /** In their order: parameters of the path, or fields of the body where the path has none of that name. */
  readonly parameters?: readonly { readonly name: string; readonly description: string; readonly optional?: true }[];
  readonly query?: readonly Field[];
  readonly body?: readonly Field[];
  /** Of a list: the columns that people see. */
  readonly columns?: readonly string[];
  /** Of a list without end: how many entries are read where `--limit` is not given. */
  readonly mostByDefault?: number;
  /** Of a list: whether the API answers it as a table, too, and so `--csv` is taken. */
  readonly csv?: true;
  /** What is shown where the answer is empty. */
  readonly done?: string;
  readonly asUser?: boolean;
  readonly examples?: readonly Example[];
}
