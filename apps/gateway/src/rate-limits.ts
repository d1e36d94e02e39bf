import { Refusal } from '@stoa/messaging';
import { type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { GatewayConfig } from './gateway.config.ts';

const contactKey = 'stoa:contact-limit';
const downloadKey = 'stoa:download-limit';

/** Marks the route that takes only a few messages an hour from one address. */
export const ContactLimit = () => SetMetadata(contactKey, true);

/** Marks the route on which keys could be tried. */
export const DownloadLimit = () => SetMetadata(downloadKey, true);

const onlyMarked = (key: string) => (context: ExecutionContext) =>
  Reflect.getMetadata(key, context.getHandler()) !== true;

export function rateLimits(config: GatewayConfig): ThrottlerModuleOptions {
  const throttlers = [
    { name: 'default', limit: config.RATE_LIMIT_PER_MINUTE, ttl: 60_000 },
    {
      name: 'contact',
      limit: config.CONTACT_LIMIT_PER_HOUR,
      ttl: 3_600_000,
      skipIf: onlyMarked(contactKey),
    },
    {
      name: 'download',
      limit: config.DOWNLOAD_LIMIT_PER_MINUTE,
      ttl: 60_000,
      skipIf: onlyMarked(downloadKey),
    },
  ];
  // One count for each address; the default counts for each route.
  return { throttlers, generateKey: (_, address, name) => `${name} ${address}` };
}

@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  protected override async throwThrottlingException(context: ExecutionContext): Promise<void> {
    const contact = Reflect.getMetadata(contactKey, context.getHandler()) === true;
    const message = contact
      ? 'You have sent several messages already. Please try again in an hour.'
      : 'Too many requests. Please try again in a minute.';
    throw new Refusal('rate_limited', message);
  }
}
