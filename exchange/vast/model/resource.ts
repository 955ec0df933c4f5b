/** The alternative contents of a companion, an icon or a non-linear ad, each in the document's order. */
export interface Resources {
  readonly static: readonly {
    readonly creativeType: string;
    readonly url: string;
  }[];
  readonly iframe: readonly string[];
  readonly html: readonly string[];
}

export interface AdParameters {
  readonly xmlEncoded?: boolean;
  readonly text: string;
}

export function hasResource({ static: files, iframe, html }: Resources): boolean {
  return files.length > 0 || iframe.length > 0 || html.length > 0;
}
