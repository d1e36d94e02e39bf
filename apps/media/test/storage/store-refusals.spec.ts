import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, jest, test } from '@jest/globals';
import { connect } from '../../src/storage/storage.client.ts';

test('a request to a busy store is not retried, and no line bypasses the log', async () => {
  const warn = jest.spyOn(console, 'warn').mockReturnValue();
  let requests = 0;
  const store = createServer((_, response) => {
    requests += 1;
    response.writeHead(503).end();
  }).listen(0, '127.0.0.1');
  await once(store, 'listening');
  try {
    const { port } = store.address() as AddressInfo;
    const key = { accessKey: 'key', secretKey: 'secret', region: 'us-east-1' };
    await expect(connect(`http://127.0.0.1:${port}`, key).statObject('bucket', 'a.txt')).rejects.toThrow(
      '503',
    );
    expect(requests).toBe(1);
    expect(warn).not.toHaveBeenCalled();
  } finally {
    store.close();
    store.closeAllConnections();
  }
});
