/** A call of the API that a page is made of, to be shown as curl. */
export interface ShownCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query: `/api/supply/sources?page=1`. */
  readonly path: string;
  readonly body?: unknown;
}
