import { expect } from 'chai';
import { parseRedisUrl } from '#runtime/providers/redis/redis-url';

describe('runtime/providers/redis parseRedisUrl', () => {
  it('reads Sentinels, the name of their primary, and two kinds of credentials', () => {
    const address = parseRedisUrl(
      'rediss+sentinel://user:p@s:s#@a:1,b,[::1]:3/main/2?sentinel_username=one&sentinel_password=two&sentinel_tls=true',
    );
    expect(address).to.deep.equal({
      nodes: [
        { host: 'a', port: 1 },
        { host: 'b', port: 26379 },
        { host: '::1', port: 3 },
      ],
      cluster: false,
      master: 'main',
      options: { username: 'user', password: 'p@s:s#', db: 2, tls: {} },
      sentinelOptions: { sentinelUsername: 'one', sentinelPassword: 'two', enableTLSForSentinelMode: true },
    });
  });

  it('tells what is wrong with Sentinels, without a password', () => {
    for (const url of [
      'redis+sentinel://:hush@a',
      'redis+sentinel://:hush@a/',
      'redis+sentinel://:hush@a/main/x',
      'redis+sentinel://:hush@a:b/main',
      'redis+sentinel:///main?sentinel_password=hush',
    ]) {
      expect(() => parseRedisUrl(url), url)
        .to.throw(RangeError, /REDIS_URL: /)
        .with.property('message')
        .that.does.not.include('hush');
    }
  });
});
