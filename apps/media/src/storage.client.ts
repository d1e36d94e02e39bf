import { callMs, Refusal } from '@stoa/messaging';
import { partAgent } from '@stoa/platform';
import { Injectable, Logger } from '@nestjs/common';
import { create as contentDisposition } from 'content-disposition';
import { Client, CopyDestinationOptions, CopySourceOptions, PostPolicy, S3Error } from 'minio';
import http from 'node:http';
import https from 'node:https';
import { MediaConfig } from './media.config.ts';

/** What a browser may post, and until when. */
export interface PostTerms {
  readonly key: string;
  readonly contentType: string;
  readonly mostBytes: number;
  readonly expiresAt: Date;
}

/** A posted file that nobody has read yet; the tag is another one once its bytes are. */
export interface PostedFile {
  readonly size: number;
  readonly etag: string;
}

const requestTimeoutMs = 8000;
/** How long a read of a picture or file waits for a silent store. */
const answerTimeoutMs = 3000;
// The store copies 200 MB from disk to disk.
const copyTimeoutMs = 25_000;
/** What every file is served as, so that no browser runs or shows what a creator uploaded. */
export const binaryContentType = 'application/octet-stream';
const cacheForever = 'public, max-age=31536000, immutable';

/**
 * The object store: a private bucket that browsers post into, the public one of checked pictures, and the private
 * one of files that are handed out by signed links. Forms and links show the access key that signed them, so each has a
 * key of its own that can do no more than that.
 */
@Injectable()
export class StorageClient {
  private readonly logger = new Logger(StorageClient.name);
  private readonly store: Client;
  private readonly asker: Client;
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
    this.asker = connect(inside, work, answerTimeoutMs);
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

  /** The form that lets a browser post one file on these terms. Signed here, without asking the store. */
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

  /** The posted file, or its beginning as soon as that is more than `mostBytes`; null when there is none. */
  readPosted(key: string, mostBytes: number): Promise<Buffer | null> {
    return this.reach(async () => {
      try {
        await this.asker.statObject(this.staging, key);
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

  /** What was posted, without reading it; null when there is nothing. */
  findPosted(key: string): Promise<PostedFile | null> {
    return this.reach(async () => {
      try {
        const { size, etag } = await this.asker.statObject(this.staging, key);
        return { size, etag };
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    });
  }

  /** Copies a posted file to `to` among the files, within the store. Fails when it was posted anew meanwhile. */
  keepFile(from: string, { etag }: PostedFile, to: string): Promise<void> {
    return this.reach(async () => {
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
   * An address at which anybody can save the file under `filename` for `seconds` from `at`. Signed without asking the
   * store.
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
    return this.reach(() => this.store.removeObject(this.files, key));
  }

  discardPosted(key: string): Promise<void> {
    return this.reach(() => this.asker.removeObject(this.staging, key));
  }

  /** The keys of everything posted that still lies there, some at a time. */
  async *listPosted(prefix = '', atOnce = 100): AsyncGenerator<string[]> {
    let keys: string[] = [];
    for await (const { name } of this.store.listObjectsV2(this.staging, prefix, true)) {
      if (name) keys.push(name);
      if (keys.length < atOnce) continue;
      yield keys;
      keys = [];
    }
    if (keys.length > 0) yield keys;
  }

  /** Removes what was posted before `date` to a key that begins with `prefix`. */
  discardPostedBefore(date: Date, prefix = ''): Promise<void> {
    return this.reach(async () => {
      for await (const { name, lastModified } of this.store.listObjectsV2(this.staging, prefix, true)) {
        if (name && lastModified && lastModified < date) await this.store.removeObject(this.staging, name);
      }
    });
  }

  publish(key: string, bytes: Buffer, contentType: string): Promise<void> {
    return this.reach(async () => {
      const headers = { 'Content-Type': contentType, 'Cache-Control': cacheForever };
      await this.store.putObject(this.pictures, key, bytes, bytes.length, headers);
    });
  }

  /** Removes every public object below `path`. */
  unpublish(path: string): Promise<void> {
    return this.reach(async () => {
      for await (const { name } of this.store.listObjectsV2(this.pictures, `${path}/`, true)) {
        await this.store.removeObject(this.pictures, name as string);
      }
    });
  }

  private async reach<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal) throw error;
      this.logger.error(error, 'the object store did not do as asked');
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

/** A client of the store that gives up on a silent one. */
export function connect(endpoint: string, key: Key, timeoutMs = requestTimeoutMs): Client {
  const { protocol, hostname, port } = new URL(endpoint);
  const useSSL = protocol === 'https:';
  return new Client({
    endPoint: hostname,
    port: Number(port) || (useSSL ? 443 : 80),
    useSSL,
    // With a region told, signing needs no answer from an address that only browsers reach.
    ...key,
    transportAgent: partAgent(useSSL),
    // It would log each retry by itself, in words of its own, and send a body that is a stream without its beginning.
    retryOptions: { disableRetry: true },
    transport: withTimeout(useSSL ? https : http, timeoutMs),
  });
}

// The client itself waits forever for a store that accepts a connection and then says nothing. Who asks may wait for less.
function withTimeout(
  { request }: Pick<typeof http, 'request'>,
  timeoutMs: number,
): Pick<typeof http, 'request'> {
  return {
    request: (options: http.RequestOptions, answered: (response: http.IncomingMessage) => void) =>
      request({ ...options, signal: AbortSignal.timeout(callMs(timeoutMs)) }, answered),
  } as Pick<typeof http, 'request'>;
}
