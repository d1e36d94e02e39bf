import { type Caller, deliveryKeyHeader } from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { accessKey, type AccessLevel } from './access.decorator.ts';
import { KeysUnavailable } from './signing-keys.ts';

/** The one gate of the API: denies what no decorator opened. */
@Injectable()
export class AccessGuard extends AuthGuard('jwt') {
  constructor(private readonly reflector: Reflector) {
    super();
  }

  override canActivate(context: ExecutionContext) {
    const level = this.#levelOf(context);
    if (level === 'public') return true;
    if (level === 'key' && bringsKey(context)) return true;
    if (level === 'creator' || level === 'key' || level === 'operator') return super.canActivate(context);
    throw new Refusal('forbidden', 'This route is open to nobody.');
  }

  override handleRequest<C>(
    error: unknown,
    caller: C | false,
    reason: unknown,
    context: ExecutionContext,
  ): C {
    // passport-jwt reports keys that cannot be had the same way as a bad token, by the reason alone.
    if (error || reason instanceof KeysUnavailable) {
      throw new Refusal('unavailable', 'Signing in cannot be checked right now.');
    }
    if (!caller) throw new Refusal('unauthenticated', 'Sign in first.');
    if (this.#levelOf(context) === 'operator' && !(caller as Pick<Caller, 'isOperator'>).isOperator)
      throw new Refusal('forbidden', 'This is for operators.');
    return caller;
  }

  #levelOf(context: ExecutionContext): AccessLevel | undefined {
    return this.reflector.getAllAndOverride(accessKey, [context.getHandler(), context.getClass()]);
  }
}

function bringsKey(context: ExecutionContext): boolean {
  const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, unknown> }>();
  return headers[deliveryKeyHeader] !== undefined;
}
