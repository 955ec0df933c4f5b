import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { expect } from 'chai';
import { DestinationUnavailable } from '#gateways/log-level-data/destination/destination';
import { openDestination } from '#gateways/log-level-data/destination/open-destination';
import { s3Url } from '#test/support/real-servers';
import { destinationContract } from './destination.contract.ts';

destinationContract('a bucket', async (test) => {
  const location = { bucket: `log-level-${Date.now()}-${process.pid}`, endpoint: s3Url(test), region: 'us-east-1' };
  const client = new S3Client({ region: location.region, endpoint: location.endpoint, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: location.bucket }));
  client.destroy();
  return openDestination({ ...location, prefix: 'of/ours' });
});

describe('a bucket of log-level data', () => {
  it('says what is wrong when there is no such bucket', async function () {
    const endpoint = s3Url(this);
    const destination = await openDestination({ bucket: 'no-such-bucket', prefix: '', endpoint, region: 'us-east-1' });
    await destination.putText('a', 'text').then(
      () => expect.fail('it was stored'),
      (error: Error) => expect(error).to.be.instanceOf(DestinationUnavailable),
    );
    destination.close();
  });
});
