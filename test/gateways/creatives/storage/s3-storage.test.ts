import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { createS3Storage } from '#gateways/creatives/storage/s3-storage';
import { s3Url } from '#test/support/real-servers';
import { creativeStorageContract } from './storage.contract.ts';

creativeStorageContract('S3', async (test) => {
  const location = { bucket: `creatives-${Date.now()}-${process.pid}`, endpoint: s3Url(test), region: 'us-east-1' };
  const client = new S3Client({ region: location.region, endpoint: location.endpoint, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: location.bucket }));
  client.destroy();
  return createS3Storage(location);
});
