import { tokenBucket } from '@stoa/telemetry';
import type { GatewayConfig } from '../gateway.config.ts';

type Settings = Pick<GatewayConfig, 'PUBLIC_READS_SAMPLED' | 'PUBLIC_READS_SAMPLED_PER_SECOND'>;

/** Says of each plain public read whether it is one of the sample that goes the way of all requests. */
export function tracedSample(config: Settings): () => boolean {
  const { PUBLIC_READS_SAMPLED: share, PUBLIC_READS_SAMPLED_PER_SECOND: perSecond } = config;
  const mayTake = tokenBucket(perSecond);
  return () => Math.random() < share && mayTake();
}
