import type { Caller, Event, Facts, Input, Output, Request } from '@stoa/contracts';
import { applyDecorators, SetMetadata, UseFilters } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { PlainErrorFilter } from './plain-error.filter.ts';
import { Refusal } from './refusal.ts';

/** What comes with a request in addition to its input. */
export class Call {
  /** The same for every try of one request: record it with the effect. Absent where the caller does not say. */
  readonly requestId: string | undefined;
  /** Whether it is not the first try. */
  readonly isRepeat: boolean;
  readonly #caller: Caller | null;

  constructor(caller: Caller | null, requestId?: string, isRepeat = false) {
    this.#caller = caller;
    this.requestId = requestId;
    this.isRepeat = isRepeat;
  }

  /** Who asks. @throws Refusal `unauthenticated` when nobody signed in does. */
  get caller(): Caller {
    if (!this.#caller) throw new Refusal('unauthenticated', 'Sign in first.');
    return this.#caller;
  }

  /** Who asks, for what also serves people who are not signed in. */
  get callerIfAny(): Caller | null {
    return this.#caller;
  }
}

/** What comes with an event in addition to its facts. */
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

/** Marks the one handler of a request. A method whose types disagree with the contract does not compile. */
export function Handles<R extends Request>(request: R): Method<[Input<R>, Call], Promise<Output<R>>> {
  // Nest hands over the payload alone unless each parameter says what it is.
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

/** Marks a method that follows an event of another service. It runs at least once for each event. */
export function Listens<E extends Event>(...events: E[]): Method<[Facts<E>, Delivery], Promise<void>> {
  return SetMetadata(listensTo, events) as Method<[Facts<E>, Delivery], Promise<void>>;
}
