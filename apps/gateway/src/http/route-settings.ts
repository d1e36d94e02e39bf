import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyRequest } from 'fastify';

export type LimitName = 'api' | 'download' | 'page' | 'visit' | 'report';

/** What a route says of itself to the hooks that see every request. */
export interface RouteSettings {
  readonly limits?: readonly LimitName[];
  readonly answerMs?: number;
}

/** Adds to the settings of a route: Nest's `RouteConfig` alone replaces what another decorator of the same route has said. */
export const withSettings =
  (settings: RouteSettings): MethodDecorator =>
  (target, name, descriptor) => {
    const others = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, descriptor.value as object) as
      RouteSettings | undefined;
    RouteConfig({ ...others, ...settings })(target, name, descriptor);
  };

/** Empty for an address that no route takes. */
export const settingsOf = ({ routeOptions }: FastifyRequest) => (routeOptions.config ?? {}) as RouteSettings;
