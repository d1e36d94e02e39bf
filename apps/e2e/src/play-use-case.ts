import { call } from './api.ts';
import { makeCreator, saveProfile } from './creators.ts';
import type { Scene, UseCase } from './use-cases.ts';

/** The operation whose trace a use case walks, as the gateway names its route. */
export const routeOf = ({ name, ways: [way = ''] }: UseCase): string => {
  const route = /^browser > gateway (\S+ \S+)/.exec(way)?.[1];
  if (!route) throw new Error(`'${name}' begins with no request to the gateway.`);
  return route;
};

/** Asks what a use case asks, as a browser that names the trace. */
export async function play(useCase: UseCase, scene: Scene, traceparent: string): Promise<Response> {
  const { method, path, ...options } = await useCase.request(scene);
  return call(method, path, { ...options, headers: { ...options.headers, traceparent } });
}

/** A creator that has something to lose. */
export async function aScene(): Promise<Scene> {
  const creator = await makeCreator();
  await saveProfile(creator.token, { displayName: creator.displayName });
  return { creator };
}
