import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyRequest } from 'fastify';

export type LimitName = 'api' | 'download' | 'page' | 'visit' | 'report';

/** Settings of a route that hooks for all routes read. */
export interface RouteSettings {
  readonly limits?: readonly LimitName[];
  readonly answerMs?: number;
}

/** Adds settings to a route. Nest's `RouteConfig` would replace those of other decorators. */
export const withSettings =
  (settings: RouteSettings): MethodDecorator =>
  (target, name, descriptor) => {
    const others = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, descriptor.value as object) as
      RouteSettings | undefined;
    RouteConfig({ ...others, ...settings })(target, name, descriptor);
  };

/** The settings of the matched route; empty if the address is unknown. */
export const settingsOf = ({ routeOptions }: FastifyRequest) => (routeOptions.config ?? {}) as RouteSettings;
