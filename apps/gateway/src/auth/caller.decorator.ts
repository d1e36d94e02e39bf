import { type Caller, deliveryKeyHeader } from '@stoa/contracts';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** The logged-in creator, as AccessGuard has read it from the token. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  return context.switchToHttp().getRequest<{ user: Caller }>().user;
});

/** The logged-in creator; undefined if the request has a delivery key instead of a token. */
export const CallerIfAny = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller | undefined => {
    return context.switchToHttp().getRequest<{ user?: Caller }>().user;
  },
);

/** The delivery key in the request's header, which opens the files of an offering. */
export const DeliveryKey = createParamDecorator((_: unknown, context: ExecutionContext): unknown => {
  const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, unknown> }>();
  return headers[deliveryKeyHeader];
});
