import { tokenBucket } from '@stoa/telemetry';
import type { GatewayConfig } from '../gateway.config.ts';

type Settings = Pick<GatewayConfig, 'PUBLIC_READS_SAMPLED' | 'PUBLIC_READS_SAMPLED_PER_SECOND'>;

/** Decides for each plain public read whether it belongs to the sample that is traced and logged. */
export function tracedSample(config: Settings): () => boolean {
  const { PUBLIC_READS_SAMPLED: share, PUBLIC_READS_SAMPLED_PER_SECOND: perSecond } = config;
  const mayTake = tokenBucket(perSecond);
  return () => Math.random() < share && mayTake();
}
