/**
 * The URL leads to something that may not be a creative: a limit, a kind of ad or a form that the specification
 * forbids. The message is a sentence without its subject: `leads through more than 3 domains`.
 */
export class CreativeRefused extends Error {
  override readonly name = 'CreativeRefused';
  /**
   * What it was refused for, where a scan names it: an address that nothing may lead to, an unreadable document, its
   * length, too many steps, VPAID, too many wrappers.
   */
  readonly because: 'address' | 'document' | 'length' | 'steps' | 'vpaid' | 'wrappers' | null;

  constructor(message: string, because: CreativeRefused['because'] = null) {
    super(message);
    this.because = because;
  }
}

/** The server of a creative did not deliver it; a retry may help. The message is a sentence without its subject. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
}
