import { MediaConfig } from '../src/media.config.ts';
import { MediaRepository } from '../src/media.repository.ts';
import { MediaService } from '../src/media.service.ts';
import { PictureEncoder } from '../src/picture-encoder.ts';
import { StorageClient } from '../src/storage.client.ts';
import { UploadChecker } from '../src/upload-checker.ts';
import { UploadRemover } from '../src/upload-remover.ts';

/** One more replica beside the service under test, on the same database and store; it hears no requests or events. */
export function startReplica(environment: Record<string, string> = {}) {
  const before = { ...process.env };
  Object.assign(process.env, environment);
  const config = new MediaConfig();
  process.env = before;
  const uploads = new MediaRepository(config);
  const storage = new StorageClient(config);
  const encoder = new PictureEncoder();
  const remover = new UploadRemover(uploads, storage, config);
  const checker = new UploadChecker(uploads, storage, encoder, remover, config);
  const service = new MediaService(uploads, storage, checker, remover, config);
  return { uploads, storage, encoder, remover, service, stop: () => uploads.onApplicationShutdown() };
}

export type Replica = ReturnType<typeof startReplica>;
