import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { freePorts } from '../settings/ports.ts';
import { requireFreePorts } from './busy-ports.ts';

it('names an occupied port and the variable that changes it', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  await expect(requireFreePorts({ ...(await freePorts()), minioInternal: port }, ['minio'])).rejects.toThrow(
    `Port ${port}, needed for the object store, is taken by another program: end that program, or choose another port with STOA_MINIO_INTERNAL_PORT.`,
  );
  server.close();
});
