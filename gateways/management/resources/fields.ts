import Type from 'typebox';

/** The status parameter of a list of sources. */
export const StatusFilter = Type.Optional(
  Type.Enum(['active', 'sandbox', 'archived'], {
    description:
      'Sources of this status alone; without it, all of the context, live or sandbox. `sandbox` shows sandbox sources in the live context too.',
  }),
);

/** The paging parameters of a list that always comes in pages. */
export const paging = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'From 1 on.' })),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many a page has at most.' }),
  ),
};

/** Removes undefined fields from `changes`, so that a partial update leaves those fields alone. */
export function withoutUndefined<T extends object>(changes: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as never;
}
