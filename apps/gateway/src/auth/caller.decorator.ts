import { type Caller, deliveryKeyHeader } from '@stoa/contracts';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** The signed-in creator, as AccessGuard proved them. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  return context.switchToHttp().getRequest<{ user: Caller }>().user;
});

/** The same on a route that a key opens too; undefined for callers with one. */
export const CallerIfAny = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller | undefined => {
    return context.switchToHttp().getRequest<{ user?: Caller }>().user;
  },
);

/** The key that was brought to a route that one opens. */
export const DeliveryKey = createParamDecorator((_: unknown, context: ExecutionContext): unknown => {
  const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, unknown> }>();
  return headers[deliveryKeyHeader];
});
