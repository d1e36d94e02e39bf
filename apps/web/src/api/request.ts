import { call, type CallOptions } from './http.ts';
import type { paths } from '../generated/api-schema.d.ts';

type Method = 'get' | 'post' | 'put' | 'delete';
export type Paths<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never;
}[keyof paths];

export type Part<O, Name extends 'path' | 'query' | 'header'> = O extends {
  parameters: { [N in Name]?: infer V };
}
  ? NonNullable<V>
  : never;
type Body<O> = O extends { requestBody: { content: { 'application/json': infer B } } } ? B : never;
export type Answer<O> = O extends { responses: infer R }
  ? R[keyof R & (200 | 201 | 202)] extends { content: { 'application/json': infer A } }
    ? A
    : undefined
  : never;

type Optional<K extends string, V> = [V] extends [never] ? { [N in K]?: undefined } : { [N in K]: V };
type Options<O> = Optional<'params', Part<O, 'path'>> &
  Optional<'body', Body<O>> & { query?: Part<O, 'query'>; headers?: Part<O, 'header'> } & Pick<
    CallOptions,
    'signal' | 'signedIn' | 'longestMs'
  >;

/** Makes one call. Its address, input and answer have the types of the gateway's OpenAPI document. */
export function request<M extends Method, P extends Paths<M>>(
  method: M,
  path: P,
  { params, ...options }: Options<paths[P][M]>,
): Promise<Answer<paths[P][M]>> {
  return call(method.toUpperCase(), fill(path, params ?? {}), options);
}

/** Replaces the parameters of `path`. */
export function fill(path: string, params: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}
