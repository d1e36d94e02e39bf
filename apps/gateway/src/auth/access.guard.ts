import { type Caller, deliveryKeyHeader } from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { accessKey, type AccessLevel } from './access.decorator.ts';

/** Checks each request before its route runs. A route without an access decorator refuses every request. */
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
    throw new Refusal('forbidden', 'No user may call this route.');
  }

  override handleRequest<C>(
    error: unknown,
    caller: C | false,
    _reason: unknown,
    context: ExecutionContext,
  ): C {
    if (error) throw new Refusal('unavailable', 'Signing in cannot be checked right now.');
    if (!caller) throw new Refusal('unauthenticated', 'Sign in first.');
    if (this.#levelOf(context) === 'operator' && !(caller as Partial<Caller>).isOperator)
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
