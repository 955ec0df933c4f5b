/** The pages whose commands run in one shell each, in their order, against one exchange. */
export const PAGES: readonly string[] = [
  'README.md',
  ...['publisher', 'dsp', 'buyer', 'operator'].map((role) => `docs/tutorial/${role}.md`),
];
