import type { ListedShape } from './additions.ts';

const head = `# What answers have beside what is specified

The specification lists the members of these shapes one by one. Where an answer has more, the table says what, and why. Clients
that ignore members which they do not know need none of it; no member that is listed is ever missing or of another type for it.
Made of \`test/specification/additions.ts\` by \`npm run conformance\`, and held to the schemas of the answers by a test.

| shape | answer | addition | why |
| ----- | ------ | -------- | --- |
`;

/** docs/additions.md. */
export function additionsPage(shapes: readonly ListedShape[]): string {
  const rows = shapes.flatMap(({ name, route, additions }) =>
    Object.entries(additions).map(([member, why]) => `| ${name} | \`${inBraces(route)}\` | \`${member}\` | ${why} |\n`),
  );
  const exact = shapes.filter(({ additions }) => Object.keys(additions).length === 0);
  const names = exact.map(({ name }) => name).join('; ');
  return `${head}${rows.join('')}\nExactly as specified: ${names}.\n`;
}

/** A route's path as the specification writes it. */
function inBraces(route: string): string {
  return route.replaceAll(/:(\w+)/g, '{$1}');
}
