import { Refusal } from '@stoa/messaging';
import { type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { GatewayConfig } from './gateway.config.ts';

const downloadKey = 'stoa:download-limit';

/** Marks the route on which keys could be tried. */
export const DownloadLimit = () => SetMetadata(downloadKey, true);

/** Against floods and guessing only: what one person may do in an hour is a rule of the service that owns the data. */
export function rateLimits(config: GatewayConfig): ThrottlerModuleOptions {
  const throttlers = [
    { name: 'default', limit: config.RATE_LIMIT_PER_MINUTE, ttl: 60_000 },
    {
      name: 'download',
      limit: config.DOWNLOAD_LIMIT_PER_MINUTE,
      ttl: 60_000,
      skipIf: (context: ExecutionContext) => Reflect.getMetadata(downloadKey, context.getHandler()) !== true,
    },
  ];
  // One count for each address; the default counts for each route.
  return { throttlers, generateKey: (_, address, name) => `${name} ${address}` };
}

@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  protected override async throwThrottlingException(): Promise<void> {
    throw new Refusal('rate_limited', 'Too many requests. Please try again in a minute.');
  }
}
