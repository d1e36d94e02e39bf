import { exportFolder } from '@stoa/contracts';
import { partAgent } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { create as contentDisposition } from 'content-disposition';
import { Client } from 'minio';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { MediaConfig } from '../media.config.ts';
import { connect } from './storage.client.ts';

/** An object in the store. Its bytes are requested only when `open` is called. */
export interface StoredObject {
  readonly size: number;
  readonly open: () => Promise<Readable>;
}

/** A file in the ZIP archive of an export. */
export interface ArchiveEntry extends StoredObject {
  readonly name: string;
}

// Pictures and files are already compressed. With a constant time, repeated archives are identical.
const entryOptions = { compress: false, mtime: new Date(315_532_800_000) };
/** Milliseconds without any byte after which a transfer fails. */
const silentMs = 10_000;
const linkSeconds = 3600;
const archiveType = 'application/zip';

/** Key of an export's archive in the bucket of files. */
export function exportKey({ uid, id }: { readonly uid: string; readonly id: string }): string {
  return `${exportFolder}${uid}/${id}.zip`;
}

/**
 * Reads pictures and files, and writes archives of exports. It streams each archive in one request, so that
 * an incomplete one is never visible. It uses the access keys of uploads.
 */
@Injectable()
export class ExportStorageClient {
  private readonly writer: Client;
  private readonly reader: Client;
  private readonly signer: Client;
  private readonly endpoint: string;
  private readonly pictures: string;
  private readonly files: string;

  constructor(config: MediaConfig) {
    const { S3_ENDPOINT: inside, S3_PUBLIC_ENDPOINT: outside, S3_REGION: region } = config;
    const work = { accessKey: config.S3_WORK_ACCESS_KEY, secretKey: config.S3_WORK_SECRET_KEY, region };
    const links = { accessKey: config.S3_LINKS_ACCESS_KEY, secretKey: config.S3_LINKS_SECRET_KEY, region };
    this.writer = connect(inside, work);
    this.reader = connect(inside, links);
    this.signer = connect(outside, links);
    this.endpoint = inside;
    this.pictures = config.S3_PUBLIC_BUCKET;
    this.files = config.S3_FILES_BUCKET;
  }

  async findPicture(key: string): Promise<StoredObject | null> {
    const address = `${this.endpoint.replace(/\/$/, '')}/${this.pictures}/${key}`;
    return find(key, async () => address);
  }

  async findFile(key: string): Promise<StoredObject | null> {
    return find(key, (method) => this.reader.presignedUrl(method, this.files, key, linkSeconds));
  }

  /** Streams an archive into the store. If an error occurs, no object is left. */
  async keep(key: string, entries: readonly ArchiveEntry[], stopping: AbortSignal): Promise<void> {
    const failing = new AbortController();
    const signal = AbortSignal.any([stopping, failing.signal]);
    const archive = new ZipFile();
    // If an entry cannot be opened or read, only the archive emits the error.
    archive.on('error', (error: Error) => failing.abort(error));
    for (const { name, size, open } of entries) {
      archive.addReadStreamLazy(name, { ...entryOptions, size }, (opened) => {
        open().then(
          (stream) => opened(null, stream),
          (error: unknown) => failing.abort(error),
        );
      });
    }
    const size = await sizeOf(archive);
    const address = await this.writer.presignedPutObject(this.files, key, linkSeconds);
    const headers = { 'Content-Length': size, 'Content-Type': archiveType };
    const isSecure = address.startsWith('https:');
    const { request } = isSecure ? https : http;
    const sending = request(address, { method: 'PUT', headers, agent: partAgent(isSecure) });
    sending.setTimeout(silentMs, () => sending.destroy(new Error('the object store is silent')));
    const answered = once(sending, 'response') as Promise<[http.IncomingMessage]>;
    const [[answer]] = await Promise.all([answered, pipeline(archive.outputStream, sending, { signal })]);
    requireSuccess(answer, key).resume();
  }

  /** Signs a link to download the archive, valid for `seconds` from `at`. Sends no request to the store. */
  sign(key: string, seconds: number, at: Date): Promise<string> {
    const headers = {
      'response-content-disposition': contentDisposition('stoa-export.zip'),
      'response-content-type': archiveType,
      'response-cache-control': 'private, no-store',
    };
    return this.signer.presignedGetObject(this.files, key, seconds, headers, at);
  }

  async remove(key: string): Promise<void> {
    await this.writer.removeObject(this.files, key);
  }
}

function sizeOf(archive: ZipFile): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  // The callback receives the size, but the library's types omit this argument.
  archive.end({ forceZip64Format: false, comment: '' }, ((size: number) => resolve(size)) as () => void);
  return promise;
}

type Address = (method: 'GET' | 'HEAD') => Promise<string>;

async function find(key: string, addressFor: Address): Promise<StoredObject | null> {
  const found = await send(await addressFor('HEAD'), { method: 'HEAD' });
  found.resume();
  if (found.statusCode === 404) return null;
  requireSuccess(found, key);
  const open = async () => requireSuccess(await send(await addressFor('GET'), { method: 'GET' }), key);
  return { size: Number(found.headers['content-length']), open };
}

async function send(address: string, options: http.RequestOptions): Promise<http.IncomingMessage> {
  const isSecure = address.startsWith('https:');
  const { request } = isSecure ? https : http;
  const sending = request(address, { ...options, agent: partAgent(isSecure) });
  sending.setTimeout(silentMs, () => sending.destroy(new Error('the object store is silent')));
  sending.end();
  const [answer] = (await once(sending, 'response')) as [http.IncomingMessage];
  return answer;
}

function requireSuccess(answer: http.IncomingMessage, key: string): http.IncomingMessage {
  if (answer.statusCode === 200) return answer;
  answer.resume();
  throw new Error(`the object store answered ${answer.statusCode} for ${key.split('/')[0]}`);
}
