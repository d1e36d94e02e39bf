import { callMs, Refusal } from '@stoa/messaging';
import { fetchFromPart } from '@stoa/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { Client } from 'minio';
import { MediaConfig } from '../media.config.ts';
import { connect } from './storage.client.ts';

const timeoutMs = 3000;
const cacheForever = 'public, max-age=31536000, immutable';

/**
 * Writes and reads preview cards (pictures for link previews) in the public bucket. It reads without an
 * access key, because the bucket is public.
 */
@Injectable()
export class CardStorageClient {
  private readonly logger = new Logger(CardStorageClient.name);
  private readonly store: Client;
  private readonly bucket: string;
  private readonly address: string;

  constructor(config: MediaConfig) {
    const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_PUBLIC_BUCKET: bucket } = config;
    const work = { accessKey: config.S3_WORK_ACCESS_KEY, secretKey: config.S3_WORK_SECRET_KEY, region };
    this.store = connect(endpoint, work, timeoutMs);
    this.bucket = bucket;
    this.address = `${endpoint.replace(/\/$/, '')}/${bucket}`;
  }

  has(key: string): Promise<boolean> {
    return this.refuseOnFailure(async () => (await this.read(key, 'HEAD')) !== null);
  }

  find(key: string): Promise<Buffer | null> {
    return this.refuseOnFailure(async () => {
      const answer = await this.read(key, 'GET');
      return answer && Buffer.from(await answer.arrayBuffer());
    });
  }

  publish(key: string, jpeg: Buffer): Promise<void> {
    return this.refuseOnFailure(async () => {
      const headers = { 'Content-Type': 'image/jpeg', 'Cache-Control': cacheForever };
      await this.store.putObject(this.bucket, key, jpeg, jpeg.length, headers);
    });
  }

  remove(key: string): Promise<void> {
    return this.refuseOnFailure(() => this.store.removeObject(this.bucket, key));
  }

  private async read(key: string, method: 'GET' | 'HEAD'): Promise<Response | null> {
    const answer = await fetchFromPart(`${this.address}/${key}`, {
      method,
      signal: AbortSignal.timeout(callMs(timeoutMs)),
    });
    if (answer.ok) return answer;
    await answer.body?.cancel();
    // For a missing object the store answers 403, because this client may not list the bucket.
    if (answer.status === 404 || answer.status === 403) return null;
    throw new Error(`the object store answered ${answer.status} for a public object`);
  }

  private async refuseOnFailure<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal) throw error;
      this.logger.error(error, 'a request to the object store failed');
      throw new Refusal('unavailable', 'The file store is not available right now.');
    }
  }
}
