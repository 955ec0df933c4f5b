/**
 * An `Extension` or `CreativeExtension`, unchanged. `xml` is its child elements, serialised so that they mean the same
 * in any document: every prefix that they use is declared on them, and VAST's own namespace is not named.
 */
export interface Extension {
  readonly type?: string;
  readonly xml: string;
}
