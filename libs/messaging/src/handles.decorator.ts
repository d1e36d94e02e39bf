import type { Caller, Event, Facts, Input, Output, Request } from '@stoa/contracts';
import { applyDecorators, SetMetadata, UseFilters } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { PlainErrorFilter } from './plain-error.filter.ts';
import { Refusal } from './refusal.ts';

/** The context of a request, in addition to its input. */
export class Call {
  /** The same for every repeat of one write: record it with the effect. Undefined if the client sends no key. */
  readonly requestId: string | undefined;
  readonly #caller: Caller | null;

  constructor(caller: Caller | null, requestId?: string) {
    this.#caller = caller;
    this.requestId = requestId;
  }

  /** The signed-in user. @throws Refusal `unauthenticated` for a visitor. */
  get caller(): Caller {
    if (!this.#caller) throw new Refusal('unauthenticated', 'Sign in first.');
    return this.#caller;
  }

  /** The signed-in user, or null for a visitor. */
  get callerIfAny(): Caller | null {
    return this.#caller;
  }
}

/** The context of an event, in addition to its facts. */
export interface Delivery {
  /** The same for every delivery of one event: record it with the effect. */
  readonly id: string;
  readonly subject: string;
}

type Method<Args extends unknown[], Result> = <F extends (...args: Args) => Result>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<F>,
) => void;

export const listensTo = 'stoa:listens-to';

/** Marks the one handler of a request. A method whose types differ from the contract does not compile. */
export function Handles<R extends Request>(request: R): Method<[Input<R>, Call], Promise<Output<R>>> {
  // Adds Nest's parameter decorators. Without them Nest passes only the payload to the method.
  const parameters: MethodDecorator = (target, key) => {
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
  };
  return applyDecorators(
    MessagePattern(request.subject, { request }),
    UseFilters(PlainErrorFilter),
    parameters,
  ) as Method<[Input<R>, Call], Promise<Output<R>>>;
}

/** Marks a method that handles events of another service. It runs at least once for each event. */
export function Listens<E extends Event>(...events: E[]): Method<[Facts<E>, Delivery], Promise<void>> {
  return SetMetadata(listensTo, events) as Method<[Facts<E>, Delivery], Promise<void>>;
}
