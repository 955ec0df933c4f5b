import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { type Destination, DestinationUnavailable } from './destination.ts';

export interface S3Prefix {
  readonly bucket: string;
  /** What all names begin with, without a slash at either end; '' for none. */
  readonly prefix: string;
  /** Null: Amazon's own endpoint of the region. */
  readonly endpoint: string | null;
  readonly region: string;
}

/** An attempt that has not connected after this many ms has failed; the client makes three attempts. */
const CONNECT_TIMEOUT_MS = 3_000;
/** An attempt without progress for this many ms has failed. */
const STALL_TIMEOUT_MS = 30_000;

/**
 * Objects of a bucket. S3 shows an object only when all of it has arrived. Files are parts of some megabytes each
 * (staged-files.ts), so one call stores one from memory and the client can try it again. Credentials come from the
 * default chain of the AWS SDK.
 */
export function createS3Destination({ bucket, prefix, endpoint, region }: S3Prefix): Destination {
  const client = new S3Client({
    region,
    // Servers other than Amazon's rarely have a host name for each bucket.
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: STALL_TIMEOUT_MS },
  });
  const keyOf = (name: string) => (prefix === '' ? name : `${prefix}/${name}`);
  const store = async (name: string, body: Buffer | string, type: string) => {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: keyOf(name), Body: body, ContentType: type }));
  };
  const get = async (name: string) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(name) }));
    return Body!;
  };
  const bytesOf = async (name: string) => {
    const found = await orNull(client.send(new HeadObjectCommand({ Bucket: bucket, Key: keyOf(name) })));
    return found === null ? null : (found.ContentLength ?? 0);
  };
  async function* pages(input: Pick<ListObjectsV2CommandInput, 'Prefix' | 'Delimiter'>) {
    for (let next: string | undefined; ; ) {
      const page = await client.send(new ListObjectsV2Command({ Bucket: bucket, ...input, ContinuationToken: next }));
      yield page;
      if (!page.IsTruncated) return;
      next = page.NextContinuationToken;
    }
  }

  return {
    stagingFolder: join(tmpdir(), 'exchange-log-level-data'),
    put: (name, { path }) => guarded(async () => store(name, await readFile(path), 'application/gzip')),
    putText: (name, text) => guarded(() => store(name, text, 'application/json')),
    has: (name) => guarded(async () => (await bytesOf(name)) !== null),
    open: (name) =>
      guarded(async () => {
        const bytes = await bytesOf(name);
        return bytes === null ? null : { bytes, read: () => guarded(async () => (await get(name)) as Readable) };
      }),
    readText: (name) =>
      guarded(async () => {
        const body = await orNull(get(name));
        return body === null ? null : body.transformToString();
      }),
    files: (folder) =>
      guarded(async () => {
        const below = `${keyOf(folder)}/`;
        const found: string[] = [];
        for await (const { Contents = [] } of pages({ Prefix: below, Delimiter: '/' })) {
          for (const { Key = '' } of Contents) found.push(Key.slice(below.length));
        }
        // Some clients make a folder by an empty object with its name.
        return found.filter((name) => name !== '').sort();
      }),
    folders: (folder) =>
      guarded(async () => {
        const below = `${keyOf(folder)}/`;
        const found: string[] = [];
        for await (const { CommonPrefixes = [] } of pages({ Prefix: below, Delimiter: '/' })) {
          for (const { Prefix = '' } of CommonPrefixes) found.push(Prefix.slice(below.length, -1));
        }
        return found.sort();
      }),
    removeFolder: (folder) =>
      guarded(async () => {
        for await (const { Contents = [] } of pages({ Prefix: `${keyOf(folder)}/` })) {
          const Objects = Contents.map(({ Key = '' }) => ({ Key }));
          if (Objects.length === 0) continue;
          const deletion = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } });
          const { Errors = [] } = await client.send(deletion);
          if (Errors[0] !== undefined) throw new Error(`${Errors[0].Key}: ${Errors[0].Message}`);
        }
      }),
    close: () => client.destroy(),
  };
}

async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
    if (name === 'NotFound' || name === 'NoSuchKey' || $metadata?.httpStatusCode === 404) return null;
    throw error;
  }
}

async function guarded<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DestinationUnavailable) throw error;
    throw new DestinationUnavailable((error as Error).message, { cause: error });
  }
}
