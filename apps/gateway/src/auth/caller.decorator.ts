import { type Caller, deliveryKeyHeader } from '@stoa/contracts';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** The signed-in creator that AccessGuard has authenticated. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  return context.switchToHttp().getRequest<{ user: Caller }>().user;
});

/** The signed-in creator of a route that also accepts a key; undefined for callers with a key. */
export const CallerIfAny = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller | undefined => {
    return context.switchToHttp().getRequest<{ user?: Caller }>().user;
  },
);

/** The delivery key in the request's header. */
export const DeliveryKey = createParamDecorator((_: unknown, context: ExecutionContext): unknown => {
  const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, unknown> }>();
  return headers[deliveryKeyHeader];
});
