/** The fields that an ask adds to a message. */
export interface AskEnvelope {
  /** Identifies this ask at the asker. */
  readonly askId: string;
  /** The request id: a repetition with the same id gets the same reply. */
  readonly requestId: string;
  readonly replyTo: string;
  /** How long the reply is cached, ms by the log's clock. */
  readonly keepMs: number;
  /** Who asks, for the audit trail; absent when unknown. Older releases ignore it. */
  readonly by?: object | undefined;
}

/** A message as it is stored in the log. */
export interface Envelope {
  /** `kind/id`. */
  readonly to: string;
  readonly type: string;
  readonly body: unknown;
  /** The sender: an actor's address or a process's incarnation; '' without `sequence`. */
  readonly from: string;
  /**
   * A number (processes) or `<cause position>#<index>` (actors), ascending for each sender and receiver, by which the
   * receiver recognises repetitions. '' for messages that may be repeated without harm or are unique by themselves.
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

/** Encodes a message as an array instead of an object, because field names would be half of a small message. */
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

/** Decodes a message. Throws when the payload is not an envelope. */
export function decodeEnvelope(payload: string): Envelope {
  const fields = JSON.parse(payload);
  if (!Array.isArray(fields) || typeof fields[0] !== 'string' || typeof fields[1] !== 'string') {
    throw new Error('not an envelope');
  }
  return {
    to: fields[0],
    type: fields[1],
    body: fields[2],
    from: fields[3] ?? '',
    sequence: fields[4] ?? '',
    ask:
      fields.length > 5
        ? { askId: fields[5], requestId: fields[6], replyTo: fields[7], keepMs: fields[8], by: fields[9] }
        : null,
  };
}

const ADDRESS_FROM = '["'.length;

/** An encoded message, for another receiver: `kind/id`. */
export function readdressed(payload: string, to: string): string {
  return `["${to}${payload.slice(payload.indexOf('"', ADDRESS_FROM))}`;
}

/** The kind of actor that an encoded message is for, without decoding it; any other text when it is no message. */
export function encodedKind(payload: string): string {
  return payload.slice(ADDRESS_FROM, payload.indexOf('/'));
}
