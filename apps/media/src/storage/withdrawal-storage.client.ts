import { withdrawalKey, withdrawalText } from '@stoa/contracts';
import { Injectable } from '@nestjs/common';
import type { Client } from 'minio';
import { MediaConfig } from '../media.config.ts';
import { connect } from './storage.client.ts';

const timeoutMs = 3000;
const headers = { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' };

/** Stores the lists of withdrawn objects in the public bucket, where the edge reads them. */
@Injectable()
export class WithdrawalStorageClient {
  private readonly store: Client;
  private readonly bucket: string;

  constructor(config: MediaConfig) {
    const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_PUBLIC_BUCKET: bucket } = config;
    const work = { accessKey: config.S3_WORK_ACCESS_KEY, secretKey: config.S3_WORK_SECRET_KEY, region };
    this.store = connect(endpoint, work, timeoutMs);
    this.bucket = bucket;
  }

  /** Stores the list of an account, or deletes it if the list is empty. */
  async keep(uid: string, ids: readonly string[]): Promise<void> {
    const key = withdrawalKey(uid);
    if (ids.length === 0) return this.store.removeObject(this.bucket, key);
    const text = withdrawalText(ids);
    await this.store.putObject(this.bucket, key, text, Buffer.byteLength(text), headers);
  }
}
