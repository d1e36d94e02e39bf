import { fetchApi } from './api.ts';
import { makeCreator, saveProfile } from './creators.ts';
import { type Scene, type UseCase, useCases } from './use-cases.ts';

/** The gateway's route that a use case requests. */
export const routeOf = ({ name, paths: [way = ''] }: UseCase): string => {
  const route = /^browser > gateway (\S+ \S+)/.exec(way)?.[1];
  if (!route) throw new Error(`'${name}' begins with no request to the gateway.`);
  return route;
};

export type UseCaseRequest = Awaited<ReturnType<UseCase['request']>>;

/** Sends the request of a use case with the header `traceparent`, as a browser does. */
export function sendTraced(
  { method, path, ...options }: UseCaseRequest,
  traceparent: string,
): Promise<Response> {
  return fetchApi(method, path, { ...options, headers: { ...options.headers, traceparent } });
}

export const runUseCase = async (useCase: UseCase, scene: Scene, traceparent: string): Promise<Response> =>
  sendTraced(await useCase.request(scene), traceparent);

/** Prepares all use cases, several at a time, because each mostly waits for Keycloak and the object store. */
export async function prepareUseCases(scene: Scene): Promise<UseCaseRequest[]> {
  const requests: UseCaseRequest[] = [];
  while (requests.length < useCases.length) {
    const some = useCases.slice(requests.length, requests.length + 4);
    requests.push(...(await Promise.all(some.map(({ request }) => request(scene)))));
  }
  return requests;
}

export async function makeScene(): Promise<Scene> {
  const creator = await makeCreator();
  await saveProfile(creator.token, { displayName: creator.displayName });
  return { creator };
}
