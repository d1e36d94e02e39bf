import {
  type AccountRoom,
  type Caller,
  type CompletedUpload,
  type FileLink,
  type UploadGrant,
  type UploadPurpose,
  type UploadRequest,
} from '@stoa/contracts';
import { type Call, idFromKey, Refusal } from '@stoa/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { plainMediaType, safeFilename } from './file-name.ts';
import { MediaConfig } from '../media.config.ts';
import { MediaRepository } from './media.repository.ts';
import { binaryContentType, StorageClient } from '../storage/storage.client.ts';
import { UploadChecker } from './upload-checker.ts';
import { pathOf, stagingKey } from './upload-keys.ts';
import { noRoomMessage } from './account-room.ts';
import { fileTransferMs, grantLifeMs, quotaOf, transferMs } from './upload-quota.ts';
import type { Grant, Upload } from './upload-rows.repository.ts';

@Injectable()
export class MediaService {
  private readonly logger = new Logger(MediaService.name);

  constructor(
    private readonly uploads: MediaRepository,
    private readonly storage: StorageClient,
    private readonly checker: UploadChecker,
    private readonly config: MediaConfig,
  ) {}

  async grant(request: UploadRequest, { caller, requestId }: Call): Promise<UploadGrant> {
    const { purpose, size } = request;
    const { uid } = caller;
    const id = requestId === undefined ? randomUUID() : idFromKey(requestId);
    const grant: Grant = { id, uid, purpose, path: pathOf(purpose, { uid, id }), ...described(request) };
    const limits = this.limitsOf(caller);
    const quota = { ...quotaOf(purpose), withinMs: grantLifeMs, accountBytes: limits.limitBytes };
    const granted = await this.uploads.insert(grant, this.unfinishedAge(purpose), quota);
    if (granted.kind === 'too many') {
      throw new Refusal('rate_limited', 'Too many unfinished uploads. Please try again in a few minutes.');
    }
    if (granted.kind === 'no room') {
      throw new Refusal('limit_reached', noRoomMessage({ ...limits, usedBytes: granted.usedBytes }, size));
    }
    const expiresAt = after(granted.at, grantLifeMs);
    // The store accepts no more bytes than the request announced, because these count against the limit.
    const terms = { key: stagingKey(grant), expiresAt, contentType: binaryContentType, mostBytes: size };
    return { id, ...(await this.storage.signPost(terms)), expiresAt: expiresAt.toISOString() };
  }

  /** Cancels an upload that no record uses. Its bytes count until its form has expired. */
  async abandon(id: string, { uid }: Caller): Promise<Record<string, never>> {
    const upload = await this.uploads.find(id);
    if (upload?.uid !== uid) throw uploadNotFound();
    if (await this.uploads.abandonUpload({ id, uid })) await this.discard(upload);
    return {};
  }

  async readRoom(caller: Caller): Promise<AccountRoom> {
    return { usedBytes: await this.uploads.usedBytes(caller.uid), ...this.limitsOf(caller) };
  }

  async complete(id: string, kind: 'picture' | 'file', caller: Caller): Promise<CompletedUpload> {
    const upload = await this.uploads.find(id);
    if (!upload || upload.uid !== caller.uid || kindOf(upload.purpose) !== kind) throw uploadNotFound();
    const outcome = await this.checker.outcomeOf(upload);
    if (!outcome) throw uploadNotFound();
    // A repeated request does this as well, because the first one may have stopped before this step.
    await this.discard(upload);
    if (outcome.kind === 'refused') throw new Refusal(outcome.refusal.code, outcome.refusal.message);
    return outcome.kind === 'picture' ? outcome.picture : outcome.file;
  }

  async resolve(id: string, purpose: UploadPurpose, { uid }: Caller): Promise<CompletedUpload> {
    const heldMs = this.heldMs();
    if (purpose === 'offering-file') {
      const file = await this.uploads.holdFile({ id, uid }, heldMs);
      if (!file) throw fileNotFound();
      return file;
    }
    const picture = await this.uploads.holdPicture({ id, uid, purpose }, heldMs);
    if (!picture) throw new Refusal('not_found', 'Picture not found.');
    return picture;
  }

  async linkFile(id: string, uid: string): Promise<FileLink> {
    const upload = await this.uploads.find(id);
    if (!upload || upload.uid !== uid || upload.outcome?.kind !== 'file') throw fileNotFound();
    // The edge refuses every link to a withdrawn file. The owner gets none either, because an owner could
    // publish the link.
    if (upload.isWithdrawn) throw fileNotFound();
    const { filename, size } = upload.outcome.file;
    const lifeMs = this.config.FILE_LINK_MS + transferMs(size);
    const name = safeFilename(filename);
    const url = await this.storage.signFile(upload.path, name, Math.ceil(lifeMs / 1000), upload.asOf);
    return { url, expiresAt: after(upload.asOf, lifeMs).toISOString() };
  }

  /**
   * Milliseconds for which an upload is kept until the event that uses it arrives. An outage may delay the
   * event.
   */
  private heldMs(): number {
    return this.config.UNATTACHED_AGE_MS;
  }

  private limitsOf({ emailVerified }: Caller) {
    const { ACCOUNT_BYTES: most, UNPROVED_ACCOUNT_BYTES: unproved } = this.config;
    return { limitBytes: emailVerified ? most : Math.min(unproved, most), provedLimitBytes: most };
  }

  private unfinishedAge(purpose: UploadPurpose): number {
    const { UNFINISHED_AGE_MS } = this.config;
    return purpose === 'offering-file' ? Math.min(fileTransferMs, UNFINISHED_AGE_MS) : UNFINISHED_AGE_MS;
  }

  private async discard(upload: Upload): Promise<void> {
    await this.storage.discardPosted(stagingKey(upload)).catch((error: unknown) => {
      this.logger.warn(`upload ${upload.id} is left in the staging bucket: ${String(error)}`);
    });
  }
}

const kindOf = (purpose: UploadPurpose) => (purpose === 'offering-file' ? 'file' : 'picture');

function described({ purpose, filename, contentType, size }: UploadRequest) {
  if (purpose !== 'offering-file') return { filename: null, contentType: null, size };
  return { filename: safeFilename(filename), contentType: plainMediaType(contentType), size };
}

function fileNotFound(): Refusal {
  return new Refusal('not_found', 'File not found.');
}

function after(date: Date, ms: number): Date {
  return new Date(date.getTime() + ms);
}

function uploadNotFound(): Refusal {
  return new Refusal('not_found', 'Upload not found.');
}
