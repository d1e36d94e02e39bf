import 'reflect-metadata';
import { attend, type RunningApp, useLogger } from '@stoa/platform';
import { NestFactory } from '@nestjs/core';
import { EdgeConfig } from './edge.config.ts';
import { EdgeModule } from './edge.module.ts';
import { MediaDoor } from './media.door.ts';
import { SignInDoor } from './sign-in.door.ts';

/** Opens both doors, without taking over the process's signals. */
export async function runEdge(): Promise<RunningApp> {
  const app = await NestFactory.createApplicationContext(EdgeModule, { bufferLogs: true });
  useLogger(app);
  const { BIND_ADDRESS: host, SIGN_IN_PORT, MEDIA_PORT } = app.get(EdgeConfig);
  const doors = await Promise.all([app.get(SignInDoor).build(), app.get(MediaDoor).build()]);
  const [signIn, media] = doors;
  await signIn.listen({ host, port: SIGN_IN_PORT });
  await media.listen({ host, port: MEDIA_PORT });
  // Fastify's close() stops listening and waits for the answers under way.
  return attend(app, async () => {
    await Promise.all(doors.map((door) => door.close()));
  });
}
