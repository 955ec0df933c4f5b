/** What an ask adds to a message. */
export interface AskEnvelope {
  /** Names this ask at the asker. */
  readonly askId: string;
  /** The request: asked again under the same id, it gets the same answer. */
  readonly requestId: string;
  readonly replyTo: string;
  /** How long the reply is kept, by the log's clock. */
  readonly keepMs: number;
  /** Who asks, for the trail; absent when nobody said. Older releases overlook it. */
  readonly by?: object | undefined;
}

/** A message as it stands in the log. */
export interface Envelope {
  /** `kind/id`. */
  readonly to: string;
  readonly type: string;
  readonly body: unknown;
  /** Who sent it: an actor's address or a process's incarnation; '' with no `sequence`. */
  readonly from: string;
  /**
   * A number (processes) or `<cause position>#<index>` (actors), ascending for each sender and receiver, by which the
   * receiver recognises what it has had. '' for messages that may be repeated without harm or are unique by themselves.
   */
  readonly sequence: string;
  readonly ask: AskEnvelope | null;
}

export interface OutgoingMessage {
  readonly to: string;
  readonly type: string;
  readonly body: unknown;
  readonly from?: string;
  readonly sequence?: string;
  readonly ask?: AskEnvelope;
}

/** An array, not an object: the names would be half of a small message. */
export function encodeEnvelope(message: OutgoingMessage): string {
  const { ask } = message;
  if (ask) {
    return JSON.stringify([
      message.to,
      message.type,
      message.body ?? null,
      message.from ?? '',
      message.sequence ?? '',
      ask.askId,
      ask.requestId,
      ask.replyTo,
      ask.keepMs,
      ...(ask.by === undefined ? [] : [ask.by]),
    ]);
  }
  if (message.sequence === undefined) return JSON.stringify([message.to, message.type, message.body ?? null]);
  return JSON.stringify([message.to, message.type, message.body ?? null, message.from, message.sequence]);
}

/** Throws when the payload is not an envelope. */
export function decodeEnvelope(payload: string): Envelope {
  const parts = JSON.parse(payload);
  if (!Array.isArray(parts) || typeof parts[0] !== 'string' || typeof parts[1] !== 'string') {
    throw new Error('not an envelope');
  }
  return {
    to: parts[0],
    type: parts[1],
    body: parts[2],
    from: parts[3] ?? '',
    sequence: parts[4] ?? '',
    ask:
      parts.length > 5
        ? { askId: parts[5], requestId: parts[6], replyTo: parts[7], keepMs: parts[8], by: parts[9] }
        : null,
  };
}
