import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { hostedPath } from '#exchange/creative/hosted-media';
import { type CreativeStorage, CreativeStorageUnavailable, type ListedFile, SHA256_NAME } from './creative-storage.ts';

export interface S3Location {
  readonly bucket: string;
  /** Null: Amazon's own endpoint of the region. */
  readonly endpoint: string | null;
  readonly region: string;
}

/** An attempt that has not connected after this many ms has failed; the client makes three attempts. */
const CONNECT_TIMEOUT_MS = 3_000;
/** An attempt without progress for this many ms has failed. */
const STALL_TIMEOUT_MS = 10_000;

/**
 * Creates a storage of creatives as objects `creative/<sha256>` of a bucket. S3 shows an object only when all of it has
 * arrived, and checks it against the SHA-256 that is sent along. Credentials come from the default chain of the AWS
 * SDK.
 */
export function createS3Storage({ bucket, endpoint, region }: S3Location): CreativeStorage {
  const client = new S3Client({
    region,
    // Servers other than Amazon's rarely have a host name for each bucket.
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: STALL_TIMEOUT_MS },
  });
  const keyOf = (sha256: string) => hostedPath(sha256).slice(1);
  const head = async (sha256: string) => {
    try {
      return await client.send(new HeadObjectCommand({ Bucket: bucket, Key: keyOf(sha256) }));
    } catch (error) {
      if (isMissing(error)) return null;
      throw unavailable(error);
    }
  };

  return {
    has: async (sha256) => (await head(sha256)) !== null,
    async put(sha256, { path, bytes, mimeType }) {
      const file = await open(path).catch((error) => {
        throw unavailable(error);
      });
      const body = file.createReadStream();
      // The stream may fail after the client has given up on it; without a listener that error would end the process.
      body.on('error', () => undefined);
      try {
        await client.send(
          new PutObjectCommand({
            Bucket: bucket,
            Key: keyOf(sha256),
            Body: body,
            ContentLength: bytes,
            ContentType: mimeType,
            ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
          }),
        );
      } catch (error) {
        throw unavailable(error);
      } finally {
        body.destroy();
      }
    },
    async open(sha256) {
      const object = await head(sha256);
      if (object === null) return null;
      return {
        bytes: object.ContentLength ?? 0,
        mimeType: object.ContentType ?? 'application/octet-stream',
        async read(range) {
          const Range = range && `bytes=${range.start}-${range.end}`;
          try {
            const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(sha256), Range }));
            return Body as Readable;
          } catch (error) {
            throw unavailable(error);
          }
        },
      };
    },
    list: () => listed(client, bucket),
    async remove(sha256) {
      try {
        await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(sha256) }));
      } catch (error) {
        throw unavailable(error);
      }
    },
    close: async () => client.destroy(),
  };
}

async function* listed(client: S3Client, bucket: string): AsyncIterable<ListedFile> {
  const prefix = hostedPath('').slice(1);
  let next: string | undefined;
  do {
    const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: next });
    const page = await client.send(command).catch((error: unknown) => {
      throw unavailable(error);
    });
    for (const { Key = '', Size = 0 } of page.Contents ?? []) {
      const sha256 = Key.slice(prefix.length);
      if (SHA256_NAME.test(sha256)) yield { sha256, bytes: Size };
    }
    next = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (next !== undefined);
}

function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return name === 'NotFound' || name === 'NoSuchKey' || $metadata?.httpStatusCode === 404;
}

function unavailable(error: unknown): CreativeStorageUnavailable {
  return new CreativeStorageUnavailable((error as Error).message, { cause: error });
}
