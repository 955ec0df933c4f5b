import { expect } from 'chai';
import type { Operation } from '../../cli/api/operation.ts';
import type { OperationCommand } from '../../cli/api/operation-command.ts';
import { commands } from '../../cli/commands.ts';
import type { CommandDefinition } from '../../cli/definition.ts';
import { routes } from '../../gateways/management/routes.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

function operationsIn(definitions: readonly CommandDefinition[], above = ''): [words: string, Operation][] {
  return definitions.flatMap((definition) => {
    const words = `${above}${definition.name}`;
    const own = 'operation' in definition ? [[words, (definition as OperationCommand).operation] as const] : [];
    return [
      ...own.map(([at, operation]): [string, Operation] => [at, operation]),
      ...operationsIn(definition.commands ?? [], `${words} `),
    ];
  });
}

function routeOf({ method, path }: Operation) {
  return routes.find(
    (route) => route.method === method.toUpperCase() && route.path.replace(/:(\w+)/g, '{$1}') === path,
  );
}

/** The names of properties, of every alternative where there are some. */
function propertiesOf(schema: Schema | undefined): Map<string, Schema> {
  const parts = [...(schema?.anyOf ?? []), ...(schema?.allOf ?? [])].flatMap((part) => [...propertiesOf(part)]);
  return new Map([...Object.entries(schema?.properties ?? {}), ...parts]);
}

describe('the commands that call the management API', () => {
  const operations = operationsIn(commands);

  it('are for operations of it, as those whom it is for', () => {
    expect(operations.length).to.be.above(40);
    for (const [words, operation] of operations) {
      const route = routeOf(operation);
      expect(route, `${words}: ${operation.method} ${operation.path}`).not.to.equal(undefined);
      const forUsers = ['operator', 'session'].includes(route!.access);
      expect(operation.asUser ?? false, `${words} as a user`).to.equal(forUsers);
    }
  });

  it('fill in every parameter of the path, and fields that the operation takes, with the words that it takes', () => {
    for (const [words, operation] of operations) {
      const route = routeOf(operation)!;
      const body = propertiesOf(route.body as Schema | undefined);
      const query = propertiesOf(route.query as Schema | undefined);
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      const given = (operation.parameters ?? []).map(({ name }) => name);
      expect(given, words).to.include.members(inPath);
      for (const name of given.filter((name) => !inPath.includes(name)))
        expect([...body.keys()], words).to.include(name);
      for (const [fields, taken] of [
        [operation.body ?? [], body],
        [operation.query ?? [], query],
      ] as const) {
        for (const { field, option } of fields) {
          expect([...taken.keys()], `${words} ${option.flags}`).to.include(field);
          const { enum: wordsOfApi } = taken.get(field)!;
          if (option.choices !== undefined && wordsOfApi !== undefined)
            expect(wordsOfApi, `${words} ${option.flags}`).to.include.members([...option.choices]);
        }
      }
    }
  });

  it('show columns that the entries of the list have', () => {
    const lists = operations.filter(([, { columns }]) => columns !== undefined);
    expect(lists.length).to.be.above(6);
    for (const [words, operation] of lists) {
      const answer = propertiesOf(routeOf(operation)!.answer.schema as Schema);
      const list = [...answer.values()].find(({ items }) => items !== undefined);
      expect([...propertiesOf(list?.items).keys()], words).to.include.members([...operation.columns!]);
      if (operation.csv) expect(routeOf(operation)!.answer, words).to.have.property('csv');
    }
  });
});
