import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import Type from 'typebox';
import { isNotModified } from '../../http/if-none-match.ts';

/** A file that a handler answers in place of JSON, for a route with `answer.file`. */
export interface FileAnswer {
  /** The name under which a browser saves it. */
  readonly name: string;
  readonly bytes: number;
  /** Of its bytes, hexadecimal: its tag. */
  readonly sha256: string;
  /** Opens it; called only when its bytes are sent. */
  read(): Promise<Readable>;
}

/** The schema of a route that answers a file of this media type. */
export function fileSchema(title: string, mediaType: string, description: string) {
  return Type.Unsafe<FileAnswer>(
    Type.String({ title, description, contentMediaType: mediaType, examples: ['(the bytes of the file)'] }),
  );
}

/**
 * Sends a file as a download; 304 where `If-None-Match` names its hash. When the file breaks off, so does the
 * connection: the receiver has fewer bytes than `Content-Length` says.
 */
export async function writeFileAnswer(ctx: Context, mediaType: string, file: FileAnswer): Promise<void> {
  ctx.status = 200;
  ctx.set('ETag', `"${file.sha256}"`);
  if (isNotModified(ctx)) {
    ctx.status = 304;
    return;
  }
  const stream = ctx.method === 'HEAD' ? null : await file.read();
  ctx.attachment(file.name);
  ctx.type = mediaType;
  if (stream !== null) {
    stream.once('error', () => ctx.res.destroy());
    ctx.body = stream;
  }
  ctx.length = file.bytes;
}
