import { SetMetadata } from '@nestjs/common';

export type AccessLevel = 'public' | 'creator' | 'key' | 'operator';

export const accessKey = 'stoa:access';

/** Lets all callers use the route. A route without a decorator of this file refuses every request. */
export const Public = () => SetMetadata(accessKey, 'public' satisfies AccessLevel);

/** Lets logged-in creators use the route. */
export const SignedIn = () => SetMetadata(accessKey, 'creator' satisfies AccessLevel);

/**
 * Lets logged-in creators and callers with a delivery key use the route. The service that owns the record checks the key. If
 * the request has a key, its token is ignored.
 */
export const SignedInOrKey = () => SetMetadata(accessKey, 'key' satisfies AccessLevel);

/** Lets users with the role of an operator use the route. The service checks the role again. */
export const OperatorsOnly = () => SetMetadata(accessKey, 'operator' satisfies AccessLevel);
