import 'reflect-metadata';
import { closeIdleConnections, withGracefulShutdown, type RunningApp, useLogger } from '@stoa/platform';
import { NestFactory } from '@nestjs/core';
import { EdgeConfig } from './edge.config.ts';
import { EdgeModule } from './edge.module.ts';
import { MediaProxy } from './media/media.proxy.ts';
import { SignInProxy } from './sign-in/sign-in.proxy.ts';

/** Starts both proxies. The caller decides on which signals to close them. */
export async function runEdge(): Promise<RunningApp> {
  const app = await NestFactory.createApplicationContext(EdgeModule, { bufferLogs: true });
  useLogger(app);
  const { BIND_ADDRESS: host, SIGN_IN_PORT, MEDIA_PORT } = app.get(EdgeConfig);
  const proxies = await Promise.all([app.get(SignInProxy).build(), app.get(MediaProxy).build()]);
  for (const proxy of proxies) proxy.addHook('preClose', async () => closeIdleConnections(proxy.server));
  const [signIn, media] = proxies;
  await signIn.listen({ host, port: SIGN_IN_PORT });
  await media.listen({ host, port: MEDIA_PORT });
  // `close` of Fastify accepts no new connections and waits for requests in progress.
  return withGracefulShutdown(app, async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });
}
