import { callMs, Refusal } from '@stoa/messaging';
import { partAgent } from '@stoa/platform';
import { Injectable, Logger } from '@nestjs/common';
import { create as contentDisposition } from 'content-disposition';
import { Client, CopyDestinationOptions, CopySourceOptions, PostPolicy, S3Error } from 'minio';
import http from 'node:http';
import https from 'node:https';
import { runSequentially } from './run-sequentially.ts';
import { MediaConfig } from '../media.config.ts';

/** The conditions of a signed upload form. */
export interface PostTerms {
  readonly key: string;
  readonly contentType: string;
  readonly mostBytes: number;
  readonly expiresAt: Date;
}

/** A posted file that is not checked yet. `etag` changes if the browser posts other bytes. */
export interface PostedFile {
  readonly size: number;
  readonly etag: string;
}

const requestTimeoutMs = 8000;
/** Milliseconds that a read waits for an answer of the store. */
const answerTimeoutMs = 3000;
// The store itself copies files of up to 200 MB, which takes several seconds.
const copyTimeoutMs = 25_000;
/** The content type of every file, so that browsers download a creator's file instead of running it. */
export const binaryContentType = 'application/octet-stream';
const cacheForever = 'public, max-age=31536000, immutable';

/**
 * Accesses the object store: a private bucket for unchecked uploads, a public one for pictures and a private
 * one for files. Signed forms and links show the id of their access key, so each key has few rights.
 */
@Injectable()
export class StorageClient {
  private readonly logger = new Logger(StorageClient.name);
  private readonly store: Client;
  private readonly quickClient: Client;
  private readonly copier: Client;
  private readonly uploadSigner: Client;
  private readonly linkSigner: Client;
  private readonly staging: string;
  private readonly pictures: string;
  private readonly files: string;

  constructor(config: MediaConfig) {
    const { S3_ENDPOINT: inside, S3_PUBLIC_ENDPOINT: outside, S3_REGION: region } = config;
    const work = { accessKey: config.S3_WORK_ACCESS_KEY, secretKey: config.S3_WORK_SECRET_KEY, region };
    this.store = connect(inside, work, requestTimeoutMs);
    this.quickClient = connect(inside, work, answerTimeoutMs);
    this.copier = connect(inside, work, copyTimeoutMs);
    this.uploadSigner = connect(outside, {
      accessKey: config.S3_UPLOADS_ACCESS_KEY,
      secretKey: config.S3_UPLOADS_SECRET_KEY,
      region,
    });
    this.linkSigner = connect(outside, {
      accessKey: config.S3_LINKS_ACCESS_KEY,
      secretKey: config.S3_LINKS_SECRET_KEY,
      region,
    });
    this.staging = config.S3_STAGING_BUCKET;
    this.pictures = config.S3_PUBLIC_BUCKET;
    this.files = config.S3_FILES_BUCKET;
  }

  /** Signs a form with which a browser can post one file. Sends no request to the store. */
  async signPost(terms: PostTerms): Promise<{ url: string; fields: Record<string, string> }> {
    const policy = new PostPolicy();
    policy.setBucket(this.staging);
    policy.setKey(terms.key);
    policy.setContentType(terms.contentType);
    policy.setContentLengthRange(1, terms.mostBytes);
    policy.setExpires(terms.expiresAt);
    const { postURL, formData } = await this.uploadSigner.presignedPostPolicy(policy);
    return { url: postURL, fields: formData };
  }

  /** Reads the posted file; only its beginning if it exceeds `mostBytes`. Null if there is none. */
  readPosted(key: string, mostBytes: number): Promise<Buffer | null> {
    return this.refuseOnFailure(async () => {
      try {
        await this.quickClient.statObject(this.staging, key);
        const chunks: Buffer[] = [];
        let size = 0;
        for await (const chunk of await this.store.getObject(this.staging, key)) {
          chunks.push(chunk as Buffer);
          size += (chunk as Buffer).length;
          if (size > mostBytes) break;
        }
        return Buffer.concat(chunks);
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    });
  }

  /** Size and ETag of the posted file; null if there is none. */
  findPosted(key: string): Promise<PostedFile | null> {
    return this.refuseOnFailure(async () => {
      try {
        const { size, etag } = await this.quickClient.statObject(this.staging, key);
        return { size, etag };
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    });
  }

  /**
   * Makes the store copy a posted file to `to` in the bucket of files. Fails if the browser has posted
   * another file since `findPosted`.
   */
  keepFile(from: string, { etag }: PostedFile, to: string): Promise<void> {
    return this.refuseOnFailure(async () => {
      await this.copier.copyObject(
        new CopySourceOptions({ Bucket: this.staging, Object: from, MatchETag: etag }),
        new CopyDestinationOptions({
          Bucket: this.files,
          Object: to,
          MetadataDirective: 'REPLACE',
          Headers: { 'Content-Type': binaryContentType, 'Content-Disposition': 'attachment' },
        }),
      );
    });
  }

  /**
   * Signs a link with which anyone can download the file as `filename`, valid for `seconds` from `at`. Sends
   * no request to the store.
   */
  signFile(key: string, filename: string, seconds: number, at: Date): Promise<string> {
    const headers = {
      'response-content-disposition': contentDisposition(filename),
      'response-content-type': binaryContentType,
      'response-cache-control': 'private, no-store',
    };
    return this.linkSigner.presignedGetObject(this.files, key, seconds, headers, at);
  }

  discardFile(key: string): Promise<void> {
    return this.refuseOnFailure(() => this.store.removeObject(this.files, key));
  }

  discardPosted(key: string): Promise<void> {
    return this.refuseOnFailure(() => this.quickClient.removeObject(this.staging, key));
  }

  /** Yields the keys of all posted objects in batches. */
  async *listPosted(prefix = '', batchSize = 100): AsyncGenerator<string[]> {
    let keys: string[] = [];
    for await (const { name } of this.store.listObjectsV2(this.staging, prefix, true)) {
      if (name) keys.push(name);
      if (keys.length < batchSize) continue;
      yield keys;
      keys = [];
    }
    if (keys.length > 0) yield keys;
  }

  /** Deletes the objects that were posted before `date` and whose keys begin with `prefix`. */
  discardPostedBefore(date: Date, prefix = ''): Promise<void> {
    return this.refuseOnFailure(async () => {
      const due: string[] = [];
      for await (const { name, lastModified } of this.store.listObjectsV2(this.staging, prefix, true))
        if (name && lastModified && lastModified < date) due.push(name);
      await runSequentially(due.map((name) => () => this.store.removeObject(this.staging, name)));
    });
  }

  publish(key: string, bytes: Buffer, contentType: string): Promise<void> {
    return this.refuseOnFailure(async () => {
      const headers = { 'Content-Type': contentType, 'Cache-Control': cacheForever };
      await this.store.putObject(this.pictures, key, bytes, bytes.length, headers);
    });
  }

  /** Deletes all objects in the public bucket whose keys begin with `path`. */
  unpublish(path: string): Promise<void> {
    return this.refuseOnFailure(async () => {
      const names: string[] = [];
      for await (const { name } of this.store.listObjectsV2(this.pictures, `${path}/`, true))
        if (name) names.push(name);
      await runSequentially(names.map((name) => () => this.store.removeObject(this.pictures, name)));
    });
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

function isMissing(error: unknown): boolean {
  return error instanceof S3Error && (error.code === 'NoSuchKey' || error.code === 'NotFound');
}

interface Key {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
}

export function connect(endpoint: string, key: Key, timeoutMs = requestTimeoutMs): Client {
  const { protocol, hostname, port } = new URL(endpoint);
  const useSSL = protocol === 'https:';
  return new Client({
    endPoint: hostname,
    port: Number(port) || (useSSL ? 443 : 80),
    useSSL,
    // Without a region, the library would ask the store for it; the public address may be unreachable from
    // here.
    ...key,
    transportAgent: partAgent(useSSL),
    // The library's retries are not logged, and would send a stream without its beginning.
    retryOptions: { disableRetry: true },
    transport: withTimeout(useSSL ? https : http, timeoutMs),
  });
}

// The library has no timeout for a store that does not answer.
function withTimeout(
  { request }: Pick<typeof http, 'request'>,
  timeoutMs: number,
): Pick<typeof http, 'request'> {
  return {
    request: (options: http.RequestOptions, answered: (response: http.IncomingMessage) => void) =>
      request({ ...options, signal: AbortSignal.timeout(callMs(timeoutMs)) }, answered),
  } as Pick<typeof http, 'request'>;
}
