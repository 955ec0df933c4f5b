import type { ListedShape } from './additions.ts';

const head = `# What answers have beside what is specified

The specification lists the members of these shapes one by one. If an answer has more members, the table names them and says why.
Clients that ignore unknown members need none of them; no listed member is ever missing or of another type because of them.
Made of \`test/specification/additions.ts\` by \`npm run conformance\`, and held to the schemas of the answers by a test.

`;

const heading = ['shape', 'answer', 'addition', 'why'];

/** docs/additions.md. */
export function additionsPage(shapes: readonly ListedShape[]): string {
  const cells = shapes.flatMap(({ name, route, additions }) =>
    Object.entries(additions).map(([member, why]) => [name, `\`${inBraces(route)}\``, `\`${member}\``, why]),
  );
  const exact = shapes.filter(({ additions }) => Object.keys(additions).length === 0);
  const names = exact.map(({ name }) => name).join('; ');
  return `${head}${inColumns([heading, ...cells])}\nExactly as specified: ${names}.\n`;
}

/** A route's path as the specification writes it. */
function inBraces(route: string): string {
  return route.replaceAll(/:(\w+)/g, '{$1}');
}

/** A table whose columns are as wide as their widest cells, the first row its heading. */
function inColumns([first, ...rest]: readonly (readonly string[])[]): string {
  const widths = first!.map((word, column) => Math.max(word.length, ...rest.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |\n`;
  return [line(first!), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('');
}
